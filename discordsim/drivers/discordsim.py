"""A driver for discordsim, the local Discord: start it, act for people, and assert what a bot should have done.

Python 3.9 or newer; no dependencies. docs/testing-your-bot.md shows a test.
"""
from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Optional, Union

Json = dict[str, Any]
Text = Union[str, "re.Pattern[str]"]


class DiscordError(Exception):
    """A call that the local Discord refused, or a program that did not start."""


class Discord:
    """A local Discord at an address such as http://127.0.0.1:8080."""

    def __init__(self, url: str, ready: Optional[Json] = None, process: Optional[subprocess.Popen[bytes]] = None) -> None:
        self.url = url
        self.ready = ready or {}
        self._process = process

    @classmethod
    def start(cls, program: Optional[str] = None, *flags: str) -> Discord:
        """Starts a new local Discord on a free port, by default without rate limits."""
        program = program or os.environ.get("DISCORDSIM", "discordsim")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "ready.json"
            process = subprocess.Popen(
                [program, "--listen", "127.0.0.1:0", "--ready-file", str(file), *(flags or ("--no-rate-limits",))],
                stdout=subprocess.DEVNULL,
            )
            while not file.exists():
                if process.poll() is not None:
                    raise DiscordError(f"{program} ended with {process.returncode}")
                time.sleep(0.02)
            ready = json.loads(file.read_text())
        return cls(ready["url"], ready, process)

    def stop(self) -> None:
        """Ends the program that was started by start."""
        if self._process:
            self._process.terminate()
            self._process.wait()

    def __enter__(self) -> Discord:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def env(self) -> dict[str, str]:
        """The environment variables with which the example bots are started."""
        env = {"DISCORD_URL": self.url, "DISCORD_TOKEN": self.ready.get("token", ""), "DISCORD_PUBLIC_KEY": self.ready.get("public_key", "")}
        if "authority" in self.ready:
            env["SSL_CERT_FILE"] = self.ready["authority"]
        return env

    def call(self, method: str, path: str, body: Optional[Json] = None) -> Any:
        """Makes a call under /sim/."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, method=method)
        try:
            with urllib.request.urlopen(request) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            raise DiscordError(f"{method} {path}: {json.load(error)['error']}") from None

    def bot_ready(self, bot: str = "") -> Json:
        """Waits until a bot, given by id or name or else the first, is connected or has an endpoint, and has commands."""
        return self.call("GET", "/sim/ready?bot=" + urllib.parse.quote(bot))

    def quiet(self, ms: int = 200) -> Json:
        """Waits until no interaction is pending, and the bots and the simulator have sent nothing for a while."""
        return self.call("GET", f"/sim/quiet?ms={ms}")

    def all_answered(self) -> None:
        """Asserts that every interaction so far was answered in time."""
        unanswered = self.quiet(0)["unanswered"]
        assert not unanswered, f"interactions without an answer: {unanswered}"

    def advance(self, by: str) -> Json:
        """Moves the clock forward, by a duration such as "24h"."""
        return self.call("POST", "/sim/clock", {"advance": by})

    def faults(self, **faults: Any) -> Json:
        """Sets the faults for all bots, as in docs/simulator.md."""
        return self.call("PUT", "/sim/faults", {"faults": faults})

    def user(self, name: str, channel: str = "general") -> User:
        """A person, by username or id, in a channel."""
        return User(self, name, channel)


class User:
    """A person in a channel. docs/simulator.md describes the results."""

    def __init__(self, discord: Discord, name: str, channel: str) -> None:
        self.discord = discord
        self.name = name
        self.channel = channel

    def act(self, call: str, **body: Any) -> Json:
        return self.discord.call("POST", "/sim/" + call, {"as": self.name, **body})

    def command(self, name: str, options: Optional[Json] = None, **more: Any) -> Json:
        """Uses a command, as "tag list" with its subcommand; a context menu has a target."""
        return self.act("command", channel=self.channel, name=name, options=options or {}, **more)

    def autocomplete(self, name: str, focused: str, options: Optional[Json] = None) -> Json:
        """The suggestions for an option."""
        return self.act("autocomplete", channel=self.channel, name=name, focused=focused, options=options or {})

    def click(self, on: Json, label: Optional[str] = None, **button: Any) -> Json:
        """Presses a button of a result or message, by its label, custom_id or index."""
        if label is not None:
            button["label"] = label
        return self.act("click", message=message_of(on)["id"], **button)

    def select(self, on: Json, custom_id: str, *values: str) -> Json:
        """Picks values of a select menu."""
        return self.act("select", message=message_of(on)["id"], custom_id=custom_id, values=list(values))

    def submit(self, opened: Json, **fields: Any) -> Json:
        """Submits the form that an interaction has opened."""
        return self.act("modal", interaction=opened["interaction"], fields=fields)

    def write(self, content: str) -> Json:
        """Writes a message."""
        return self.act("message", channel=self.channel, content=content)

    def messages(self) -> list[Json]:
        """The messages that this person sees, oldest first."""
        query = urllib.parse.urlencode({"channel": self.channel, "as": self.name})
        return self.discord.call("GET", "/sim/messages?" + query)


def message_of(of: Json) -> Json:
    """The message of a result, or a message itself."""
    message = of.get("message") if "status" in of else of
    assert message, f"no message in {of}"
    return message


def expect_message(result: Json, text: Text) -> Json:
    """Asserts that a result is a message with a text, and returns the message."""
    assert result["status"] == "answered", result
    message = message_of(result)
    content = message["content"]
    if isinstance(text, str):
        assert content == text, f"the message is {content!r}, not {text!r}"
    else:
        assert text.search(content), f"the message is {content!r}, not {text.pattern}"
    return message


def expect_ephemeral(result: Json, text: Text) -> Json:
    """Asserts that a result is a message that only its user sees, and returns it."""
    message = expect_message(result, text)
    assert result["ephemeral"], "everybody sees the message"
    return message


def expect_edit(result: Json, before: Json, text: Text) -> Json:
    """Asserts that a result edited a message instead of sending a new one, and returns the message."""
    message = expect_message(result, text)
    assert message["id"] == before["id"], "a new message, not an edit"
    return message


def expect_modal(result: Json, title: str) -> Json:
    """Asserts that a result has opened a form, and returns it."""
    assert result["status"] == "answered" and result["modal"], result
    assert result["modal"]["title"] == title, result["modal"]
    return result["modal"]
