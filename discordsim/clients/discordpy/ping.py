import os, sys, threading

# docs/testing-your-bot.md shows the lines from here on.
import discord, yarl
from discord import app_commands, gateway, http

url = os.environ.get('DISCORD_URL')
if url:
    http.Route.BASE = url + '/api/v10'
    gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(url.replace('http', 'ws', 1) + '/ws')
# docs/testing-your-bot.md shows the lines up to here.

client = discord.Client(intents=discord.Intents(guilds=True))
tree = app_commands.CommandTree(client)
client.setup_hook = tree.sync

class Form(discord.ui.Modal, title='Who are you?'):
    name = discord.ui.TextInput(label='Name', custom_id='name')

    async def on_submit(self, i):
        await i.response.send_message(f'hello {self.name.value}', ephemeral=True)

class Buttons(discord.ui.View):
    @discord.ui.button(label='Again')
    async def again(self, i, button):
        await i.response.defer()
        await i.edit_original_response(content='pong again')

    @discord.ui.button(label='Name')
    async def name(self, i, button):
        await i.response.send_modal(Form())

@tree.command(description='Says pong')
async def ping(i: discord.Interaction):
    await i.response.send_message('pong', view=Buttons())

threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()  # the test that started the bot has ended
client.run(os.environ['DISCORD_TOKEN'])
