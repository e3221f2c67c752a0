"""The service: matches in Redis (`service/matches`) and the HTTP face on top of them (`service/api`).

`create_app` builds the WSGI application; nothing is read from the environment and no connection is made before it is asked.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from flask import Flask

    from engines import Game
    from service.matches import Matches
    from service.settings import Settings

WEB = Path(__file__).parent / "web"


def create_app(settings: Settings, games: Mapping[str, Game] | None = None, matches: Matches | None = None) -> Flask:
    """Return the application.

    Args:
        settings: see `Settings`.
        games: what can be played; None: all there are.
        matches: the table to use; None: one in the store that the settings name.
    """
    # Here and not above: the command line imports this package and should not have to wait for the compiled rules.
    from flask import Flask
    from werkzeug.middleware.proxy_fix import ProxyFix

    from engines import GAMES
    from service import api, errors, web
    from service.api import limiting
    from service.api.context import Context
    from service.limits import Limiter
    from service.matches import Matches

    games = GAMES if games is None else games
    app = Flask("service", static_folder=WEB / "static", static_url_path="/static", template_folder=WEB / "templates")
    app.config["MAX_CONTENT_LENGTH"] = settings.body_limit_bytes
    matches = matches or Matches.open(settings, games)
    app.extensions["clifftop"] = Context(settings, games, matches)
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.merge_slashes = False  # an address is right or wrong; nothing is redirected
    if settings.trusted_proxies:
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=settings.trusted_proxies, x_proto=0, x_host=0)  # type: ignore[method-assign]
    errors.install(app)
    limiting.install(app, Limiter(matches.store.client, settings, matches.clock))
    spec = api.install(app)
    web.install(app, spec)
    return app
