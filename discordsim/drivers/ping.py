# A test of a ping bot: python3 ping.py python3 bot.py

# docs/testing-your-bot.md shows the lines from here on.
import os
import subprocess
import sys

from discordsim import Discord, expect_edit, expect_ephemeral, expect_message, expect_modal

with Discord.start() as discord:
    bot = subprocess.Popen(sys.argv[1:], env={**os.environ, **discord.env}, stdin=subprocess.PIPE)
    try:
        discord.bot_ready()
        alice, bob = discord.user("alice"), discord.user("bob")
        pong = expect_message(alice.command("ping"), "pong")
        expect_edit(bob.click(pong, "Again"), pong, "pong again")
        form = bob.click(pong, "Name")
        expect_modal(form, "Who are you?")
        expect_ephemeral(bob.submit(form, name="Ada"), "hello Ada")
        discord.all_answered()
    finally:
        bot.terminate()
# docs/testing-your-bot.md shows the lines up to here.
