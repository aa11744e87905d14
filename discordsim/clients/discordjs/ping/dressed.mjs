const { APPLICATION_ID, DISCORD_TOKEN, PUBLIC_KEY } = process.env;
const env = { DISCORD_APP_ID: APPLICATION_ID, DISCORD_PUBLIC_KEY: PUBLIC_KEY, DISCORD_TOKEN };

// docs/testing-your-bot.md shows the lines from here on.
import { ActionRow, Button, Label, TextInput } from 'dressed';
import { createServer, installCommands } from 'dressed/server';
import { serverConfig } from 'dressed/utils';

const discord = process.env.DISCORD_URL ?? 'https://discord.com';
serverConfig.requests = { routeBase: discord + '/api/v10', env };
// docs/testing-your-bot.md shows the lines up to here.
const commands = [{
  name: 'ping', exports: {
    config: { description: 'Says pong' },
    default: (i) => i.reply({ content: 'pong', components: [ActionRow(Button({ custom_id: 'again', label: 'Again' }), Button({ custom_id: 'name', label: 'Name' }))] }),
  },
}];
const form = { title: 'Who are you?', custom_id: 'form', components: [Label('Name', TextInput({ custom_id: 'name' }))] };
const answer = async (i) => {
  if (i.data.custom_id === 'name') return i.showModal(form);
  if (i.data.custom_id === 'form') return i.reply({ content: 'hello ' + i.getField('name', true).textInput(), ephemeral: true });
  await i.deferUpdate();
  await i.editReply('pong again');
};
installCommands(commands.map(({ name, exports }) => ({ name, exports, data: {} })));
const server = createServer(commands, answer, [], { endpoint: '/interactions', port: 0 });
server.once('listening', () => console.log(`listening on 127.0.0.1:${server.address().port}.`));
process.stdin.resume().on('end', () => process.exit()); // the test that started the bot has ended
