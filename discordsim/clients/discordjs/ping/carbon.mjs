import { serve } from './serve.js';

// docs/testing-your-bot.md shows the lines from here on.
import { Button, Client, Command, Label, Modal, Row, TextInput } from '@buape/carbon';
import { createHandler } from '@buape/carbon/adapters/fetch';

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
const options = {
  baseUrl: 'http://localhost', clientId: process.env.APPLICATION_ID, publicKey: process.env.PUBLIC_KEY, token: process.env.DISCORD_TOKEN,
  disableDeployRoute: true, autoDeploy: true, requestOptions: { baseUrl: discord + '/api' },
};
// docs/testing-your-bot.md shows the lines up to here.
class Again extends Button {
  label = 'Again';
  customId = 'again';
  async run(i) {
    await i.acknowledge();
    await i.reply({ content: 'pong again' });
  }
}
class Name extends Button {
  label = 'Name';
  customId = 'name';
  run(i) { return i.showModal(new Form()); }
}
class Text extends TextInput { customId = 'name'; }
class Labelled extends Label { label = 'Name'; constructor() { super(new Text()); } }
class Form extends Modal {
  title = 'Who are you?';
  customId = 'form';
  components = [new Labelled()];
  run(i) { return i.reply({ content: 'hello ' + i.fields.getText('name'), ephemeral: true }); }
}
class Ping extends Command {
  name = 'ping';
  description = 'Says pong';
  components = [new Again(), new Name()];
  run(i) { return i.reply({ content: 'pong', components: [new Row([new Again(), new Name()])] }); }
}
const client = new Client(options, { commands: [new Ping()], modals: [new Form()] });
serve((request) => createHandler(client)(request, {}));
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
