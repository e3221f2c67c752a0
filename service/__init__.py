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

    from engines import GAMES
    from service import api, errors, web
    from service.api.context import Context
    from service.matches import Matches

    games = GAMES if games is None else games
    app = Flask("service", static_folder=WEB / "static", static_url_path="/static", template_folder=WEB / "templates")
    app.config["MAX_CONTENT_LENGTH"] = settings.body_limit_bytes
    app.extensions["clifftop"] = Context(settings, games, matches or Matches.open(settings, games))
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.url_map.merge_slashes = False  # an address is right or wrong; nothing is redirected
    errors.install(app)
    spec = api.install(app)
    web.install(app, spec)
    return app
