from __future__ import annotations

from pathlib import Path

import pytest

from service.settings import BadSetting, Settings


def test_defaults() -> None:
    settings = Settings.from_environment({"PATH": "/bin", "CLIFFTOP_CACHE_DIR": "/x", "CLIFFTOP_HOST": ""})
    assert settings == Settings()
    assert (settings.host, settings.port, settings.redis_url) == ("127.0.0.1", 8080, None)


def test_values() -> None:
    settings = Settings.from_environment(
        {"CLIFFTOP_PORT": "80", "CLIFFTOP_DATA_DIR": "/d", "CLIFFTOP_REDIS_URL": "unix:///s", "CLIFFTOP_WAIT_MAX_S": "2.5"}
    )
    assert (settings.port, settings.data_dir, settings.redis_url, settings.wait_max_s) == (80, Path("/d"), "unix:///s", 2.5)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("PORT", "eighty", "must be a whole number, not 'eighty'"),
        ("PORT", "-1", "must be from 0 to 65535, not -1"),
        ("PORT", "65536", "must be from 0 to 65535, not 65536"),
        ("WAIT_MAX_S", "nan", "must be from 0 to 300, not nan"),
        ("WAIT_MAX_S", "soon", "must be a number, not 'soon'"),
        ("REDIS_URL", "http://x", "must begin with redis://, rediss://, unix://, redis+sentinel:// or redis+cluster://"),
        ("QUEUE_URL", "redis://", "names no server"),
        ("EDITIONS_DIR", "/nowhere", "there is no folder /nowhere"),
        ("LOG_LEVEL", "loud", "must be one of debug, info, warning, error, not 'loud'"),
        ("HOST", " ", "must be an address or a host name"),
    ],
)
def test_bad_values_stop_the_start_with_name_and_reason(name: str, value: str, reason: str) -> None:
    with pytest.raises(BadSetting) as refused:
        Settings.from_environment({f"CLIFFTOP_{name}": value})
    assert (refused.value.name, refused.value.reason) == (f"CLIFFTOP_{name}", reason)


def test_unknown_names_are_refused() -> None:
    with pytest.raises(BadSetting, match="CLIFFTOP_POTR: there is no such setting"):
        Settings.from_environment({"CLIFFTOP_POTR": "80"})
