// A driver for discordsim, the local Discord: start it, act for people, and assert what a bot should have done.
// Node.js 18 or newer; no dependencies. docs/testing-your-bot.md shows a test.
// @ts-check
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * @typedef {{url: string, api: string, gateway: string, token: string, application: string, public_key: string, authority?: string,
 *   guilds: Record<string, string>, channels: Record<string, string>, users: Record<string, string>}} Ready the ready file
 * @typedef {{id: string, content: string, embeds: any[], components: any[], attachments: any[], flags?: number, author: any}} Message
 * @typedef {{interaction: string, status: 'answered'|'deferred'|'failed'|'timeout'|'held', ms: number, ephemeral: boolean,
 *   message: Message|null, modal: {custom_id: string, title: string, components: any[]}|null, error: string|null}} Result
 */

/** A local Discord. */
export class Discord {
  /** @param {string} url its address, such as http://127.0.0.1:8080 @param {Partial<Ready>} ready its ready file, if it has one */
  constructor(url, ready = {}) {
    this.url = url;
    this.ready = ready;
    this.stop = async () => {};
  }

  /**
   * Starts a new local Discord on a free port.
   * @param {{program?: string, flags?: string[]}} options the program, and its flags beside --listen and --ready-file
   */
  static async start({ program = process.env.DISCORDSIM ?? 'discordsim', flags = ['--no-rate-limits'] } = {}) {
    const folder = await mkdtemp(join(tmpdir(), 'discordsim-'));
    const file = join(folder, 'ready.json');
    const child = spawn(program, ['--listen', '127.0.0.1:0', '--ready-file', file, ...flags], { stdio: ['ignore', 'ignore', 'pipe'] });
    let said = '';
    let over = false;
    child.stderr.on('data', (text) => { said += text; });
    const ended = new Promise((resolve) => {
      child.on('error', (err) => { said += err.message; over = true; resolve(null); });
      child.on('exit', () => { over = true; resolve(null); });
    });
    const stop = async () => {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    };
    for (;;) {
      const text = await readFile(file, 'utf8').catch(() => '');
      if (text) {
        const ready = /** @type {Ready} */ (JSON.parse(text));
        const discord = new Discord(ready.url, ready);
        discord.stop = stop;
        return discord;
      }
      if (over) {
        await stop();
        throw new Error(`${program} did not start: ${said}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** The environment variables with which the example bots are started. */
  get env() {
    return {
      DISCORD_URL: this.url, DISCORD_TOKEN: this.ready.token ?? '', DISCORD_PUBLIC_KEY: this.ready.public_key ?? '',
      ...(this.ready.authority && { NODE_EXTRA_CA_CERTS: this.ready.authority }),
    };
  }

  /** Makes a call under /sim/. @param {string} method @param {string} path @param {any} [body] @returns {Promise<any>} */
  async call(method, path, body) {
    const response = await fetch(this.url + path, { method, ...(body !== undefined && { body: JSON.stringify(body) }) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${answer.error}`);
    return answer;
  }

  /** Waits until a bot is connected, or has an endpoint, and has commands. @param {string} [bot] its id or name; the first bot if absent */
  async botReady(bot = '') { return this.call('GET', `/sim/ready?bot=${encodeURIComponent(bot)}`); }

  /** Waits until no interaction is pending, and the bots and the simulator have sent nothing for a while. @param {number} ms */
  async quiet(ms = 200) { return this.call('GET', `/sim/quiet?ms=${ms}`); }

  /** Asserts that every interaction so far was answered in time. */
  async allAnswered() {
    const { unanswered } = await this.quiet(0);
    assert.deepEqual(unanswered, [], 'interactions without an answer');
  }

  /** Moves the clock forward. @param {string} by such as "24h" */
  async advance(by) { return this.call('POST', '/sim/clock', { advance: by }); }

  /** Sets the faults for all bots. @param {Record<string, any>} faults as in docs/simulator.md */
  async faults(faults) { return this.call('PUT', '/sim/faults', { faults }); }

  /** A person. @param {string} name username or id @param {string} [channel] the channel in which the person acts */
  user(name, channel = 'general') { return new User(this, name, channel); }
}

/** A person in a channel. */
export class User {
  /** @param {Discord} discord @param {string} name @param {string} channel */
  constructor(discord, name, channel) {
    this.discord = discord;
    this.name = name;
    this.channel = channel;
  }

  /** The same person in another channel. @param {string} channel */
  in(channel) { return new User(this.discord, this.name, channel); }

  /** @param {string} call @param {any} body @returns {Promise<Result>} */
  async act(call, body) { return this.discord.call('POST', '/sim/' + call, { as: this.name, ...body }); }

  /** Uses a command, as "tag list" with its subcommand. @param {string} name @param {Record<string, any>} options @param {any} more such as {target: 'bob'} */
  async command(name, options = {}, more = {}) { return this.act('command', { channel: this.channel, name, options, ...more }); }

  /** The suggestions for an option. @param {string} name @param {string} focused @param {Record<string, any>} options @returns {Promise<any>} */
  async autocomplete(name, focused, options = {}) { return this.act('autocomplete', { channel: this.channel, name, focused, options }); }

  /** Presses a button. @param {Result|Message} on @param {string|{custom_id: string}|{index: number}} button its label, custom_id or index */
  async click(on, button) { return this.act('click', { message: messageOf(on).id, ...(typeof button === 'string' ? { label: button } : button) }); }

  /** Picks values of a select menu. @param {Result|Message} on @param {string} custom_id @param {string[]} values */
  async select(on, custom_id, ...values) { return this.act('select', { message: messageOf(on).id, custom_id, values }); }

  /** Submits the form that an interaction has opened. @param {Result} opened @param {Record<string, any>} fields */
  async submit(opened, fields) { return this.act('modal', { interaction: opened.interaction, fields }); }

  /** Writes a message. @param {string} content @returns {Promise<Message>} */
  async write(content) { return this.discord.call('POST', '/sim/message', { as: this.name, channel: this.channel, content }); }

  /** The messages that this person sees, oldest first. @returns {Promise<Message[]>} */
  async messages() {
    const query = new URLSearchParams({ channel: this.channel, as: this.name });
    return this.discord.call('GET', `/sim/messages?${query}`);
  }
}

/** @param {any} of @returns {Message} */
function messageOf(of) {
  const message = 'interaction' in of && 'status' in of ? of.message : of;
  assert.ok(message, `no message in ${JSON.stringify(of)}`);
  return message;
}

/** Asserts that a result is a message with a text, and returns the message. @param {Result} result @param {string|RegExp} text */
export function expectMessage(result, text) {
  assert.equal(result.status, 'answered', JSON.stringify(result));
  const message = messageOf(result);
  if (typeof text === 'string') assert.equal(message.content, text);
  else assert.match(message.content, text);
  return message;
}

/** Asserts that a result is a message that only its user sees, and returns it. @param {Result} result @param {string|RegExp} text */
export function expectEphemeral(result, text) {
  const message = expectMessage(result, text);
  assert.ok(result.ephemeral, 'everybody sees the message');
  return message;
}

/** Asserts that a result edited a message instead of sending a new one, and returns the message. @param {Result} result @param {Message} before @param {string|RegExp} text */
export function expectEdit(result, before, text) {
  const message = expectMessage(result, text);
  assert.equal(message.id, before.id, 'a new message, not an edit');
  return message;
}

/** Asserts that a result has opened a form, and returns it. @param {Result} result @param {string} title */
export function expectModal(result, title) {
  assert.equal(result.status, 'answered', JSON.stringify(result));
  assert.ok(result.modal, 'no form was opened');
  assert.equal(result.modal.title, title);
  return result.modal;
}
