'use strict';

// docs/testing-your-bot.md shows the lines from here on.
const { ButtonComponent, Client, Discord, ModalComponent, Slash } = require('discordx');

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const client = new Client({ intents: ['Guilds'], rest: { api: discord + '/api' }, silent: true });
// docs/testing-your-bot.md shows the lines up to here.
class Ping {
  ping(i) { return i.reply({ content: 'pong', components: [buttons] }); }
  async again(i) {
    await i.deferUpdate();
    await i.editReply('pong again');
  }
  name(i) { return i.showModal(form); }
  hello(i) { return i.reply({ content: 'hello ' + i.fields.getTextInputValue('name'), flags: 64 }); }
}
const decorate = (method, decorator) => decorator(Ping.prototype, method, Object.getOwnPropertyDescriptor(Ping.prototype, method)); // applies a decorator, as the syntax @decorator does
decorate('ping', Slash({ name: 'ping', description: 'Says pong' }));
decorate('again', ButtonComponent({ id: 'again' }));
decorate('name', ButtonComponent({ id: 'name' }));
decorate('hello', ModalComponent({ id: 'form' }));
Discord()(Ping);
client.once('clientReady', () => client.initApplicationCommands());
client.on('interactionCreate', (i) => client.executeInteraction(i));
client.login(process.env.DISCORD_TOKEN);

const buttons = {
  type: 1,
  components: [{ type: 2, style: 1, label: 'Again', customId: 'again' }, { type: 2, style: 1, label: 'Name', customId: 'name' }],
};
const form = {
  title: 'Who are you?', customId: 'form',
  components: [{ type: 1, components: [{ type: 4, style: 1, customId: 'name', label: 'Name' }] }],
};
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
