'use strict';

// docs/testing-your-bot.md shows the lines from here on.
const { Command, InteractionHandler, InteractionHandlerTypes, SapphireClient } = require('@sapphire/framework');

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const client = new SapphireClient({ intents: ['Guilds'], rest: { api: discord + '/api' }, baseUserDirectory: null });
// docs/testing-your-bot.md shows the lines up to here.
class Ping extends Command {
  registerApplicationCommands(registry) { registry.registerChatInputCommand({ name: 'ping', description: 'Says pong' }); }
  chatInputRun(i) { return i.reply({ content: 'pong', components: [buttons] }); }
}
class Buttons extends InteractionHandler {
  parse(i) { return this.some(i.customId); }
  async run(i, id) {
    if (id === 'name') return i.showModal(form);
    await i.deferUpdate();
    await i.editReply('pong again');
  }
}
class Form extends InteractionHandler {
  parse() { return this.some(); }
  run(i) { return i.reply({ content: 'hello ' + i.fields.getTextInputValue('name'), flags: 64 }); }
}
const handlers = client.stores.get('interaction-handlers');
client.stores.get('commands').loadPiece({ name: 'ping', piece: Ping });
handlers.loadPiece({ name: 'buttons', piece: class extends Buttons { constructor(c) { super(c, { interactionHandlerType: InteractionHandlerTypes.Button }); } } });
handlers.loadPiece({ name: 'form', piece: class extends Form { constructor(c) { super(c, { interactionHandlerType: InteractionHandlerTypes.ModalSubmit }); } } });
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
