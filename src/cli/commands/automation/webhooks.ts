import { Option } from 'commander'
import {
  addWebhook,
  changeWebhook,
  listWebhooks,
  removeWebhook,
  testWebhook,
} from '../../../api/automation/webhooks.ts'
import { fail } from '../../../domain/errors.ts'
import {
  describeResult,
  type Webhook,
  WEBHOOK_EVENTS,
  type WebhookChange,
  type WebhookEvent,
  type WebhookWithSecret,
} from '../../../domain/automation/webhook.ts'
import { command, type CommandGroup, type Invocation, restOf, wordOf } from '../../program/command.ts'
import { openDoor } from '../../door/door.ts'
import type { Output } from '../../terminal/output.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['ID', 'STATE', 'WAITING', 'LOST', 'WEBHOOK', 'EVENTS', 'LAST RESULT']
const ID_EXAMPLE = 'the id is shown by "webhooks ls"'
const eventsOption = new Option('--events <events>', `separated by commas, of ${WEBHOOK_EVENTS.join(', ')}`)

const list = command({
  name: 'ls',
  summary: 'List webhooks, how the last request to each went, and what waits',
  operations: ['webhooks.list'],
  examples: [
    ['webhooks ls', 'everything'],
    ['webhooks ls --json', 'for monitors: "failures", "waiting" and "lost" of each'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await answer(invocation.output, await door.call(listWebhooks, {}))
  },
})

const add = command({
  name: 'add <url>',
  summary: 'Add an address that is told of file operations, and show its secret once',
  operations: ['webhooks.add'],
  options: [new Option(eventsOption.flags, `${eventsOption.description}; default: all`), new Option('--name <name>')],
  examples: [
    ['webhooks add https://example.org/hook', 'told of everything'],
    ['webhooks add https://example.org/hook --events after_upload,after_delete --name "Search index"', 'of some'],
    ['webhooks add https://example.org/hook --json', 'the secret is in "secret"'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const body = { url: wordOf(invocation), ...fieldsOf(invocation) }
    await answerWithSecret(invocation.output, await door.call(addWebhook, { body }))
  },
})

const set = command({
  name: 'set <id>',
  summary: 'Change the address, events, name or secret of a webhook; queued events are sent at once',
  operations: ['webhooks.change'],
  options: [
    new Option('--url <url>', 'another address'),
    eventsOption,
    new Option('--name <name>', 'empty for none'),
    new Option('--new-secret', 'replace the secret and show the new one'),
  ],
  examples: [
    ['webhooks set f3JkQ0aZ --events after_upload', ID_EXAMPLE],
    ['webhooks set f3JkQ0aZ --new-secret', 'the old secret is not used any more'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { url, newSecret } = invocation.values
    const body: WebhookChange = {
      ...(typeof url === 'string' && { url }),
      ...fieldsOf(invocation),
      ...(newSecret === true && { newSecret }),
    }
    if (Object.keys(body).length === 0) fail('INVALID_INPUT', 'nothing to change; use a flag such as --new-secret')
    const changed = await door.call(changeWebhook, { params: { id: wordOf(invocation) }, body })
    await answerWithSecret(invocation.output, changed)
  },
})

const remove = command({
  name: 'rm <id>',
  summary: 'Remove a webhook and the events that wait for it',
  operations: ['webhooks.remove'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['webhooks rm f3JkQ0aZ', ID_EXAMPLE]],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const id = wordOf(invocation)
    await confirmOrFail(invocation, async () => {
      const found = (await door.call(listWebhooks, {})).find((webhook) => webhook.id === id)
      if (found === undefined) fail('NOT_FOUND', `there is no webhook ${id}; see "filemgr webhooks ls"`)
      return `Remove ${labelOf(found)}?`
    })
    await door.call(removeWebhook, { params: { id } })
    await invocation.output.answer({ json: { removed: [id] }, ids: [id], text: '1 removed' })
  },
})

const enable = switching('enable', 'Enable webhooks; what waits is sent at once', true)
const disable = switching('disable', 'Disable webhooks without removing them', false)

function switching(name: string, summary: string, enabled: boolean) {
  return command({
    name: `${name} <ids...>`,
    summary,
    operations: ['webhooks.change'],
    examples: [[`webhooks ${name} f3JkQ0aZ`, ID_EXAMPLE]],
    async run(invocation) {
      await using door = await openDoor(invocation)
      const changed: Webhook[] = []
      for (const id of restOf(invocation)) {
        changed.push(await door.call(changeWebhook, { params: { id }, body: { enabled } }))
      }
      await answer(invocation.output, changed)
    },
  })
}

const test = command({
  name: 'test <id>',
  summary: 'Send a ping and show how the receiver answers',
  operations: ['webhooks.test'],
  examples: [['webhooks test f3JkQ0aZ', 'sent once, also while the webhook is disabled']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const result = await door.call(testWebhook, { params: { id: wordOf(invocation) } })
    await invocation.output.answer({
      json: result,
      ids: [result.status ?? result.outcome],
      text: describeResult(result),
    })
  },
})

async function answer(output: Output, webhooks: readonly Webhook[]): Promise<void> {
  const rows = webhooks.map((webhook) => {
    const { id, enabled, waiting, lost, events, last } = webhook
    const result = last === null ? '-' : `${describeResult(last)}, ${last.at}`
    return [id, enabled ? 'on' : 'off', String(waiting), String(lost), labelOf(webhook), shownEvents(events), result]
  })
  await output.answer({
    json: webhooks.map(shown),
    ids: webhooks.map(({ id }) => id),
    text: () => drawTable(HEADINGS, rows, output, ['EVENTS', 'LOST', 'WAITING', 'LAST RESULT']),
  })
}

async function answerWithSecret(output: Output, webhook: WebhookWithSecret): Promise<void> {
  const { id, secret, url } = webhook
  const note = secret === undefined ? '' : `\nsecret ${secret}\nGive it to the receiver now: it is not shown again.`
  await output.answer({ json: shown(webhook), ids: [id], text: `${id} ${url}${note}` })
}

/** A webhook as commands print it: a time has the same name in all of them. */
function shown<Shown extends Webhook>({ last, ...webhook }: Shown) {
  if (last === null) return { ...webhook, last }
  const { at, ...result } = last
  return { ...webhook, last: { time: at, ...result } }
}

function labelOf({ name, url }: Webhook): string {
  return name === '' ? url : `${name} (${url})`
}

function shownEvents(events: readonly WebhookEvent[]): string {
  return events.length === WEBHOOK_EVENTS.length ? 'all' : events.join(',')
}

function fieldsOf({ values: { events, name } }: Invocation): Pick<WebhookChange, 'events' | 'name'> {
  return {
    ...(typeof name === 'string' && { name: nameOf(name) }),
    ...(typeof events === 'string' && { events: events.split(',').map(eventOf) }),
  }
}

function nameOf(text: string): string {
  return text.length <= 100
    ? text
    : fail('INVALID_INPUT', '--name cannot be longer than 100 characters', { field: 'name' })
}

function eventOf(text: string): WebhookEvent {
  const event = WEBHOOK_EVENTS.find((name) => name === text.trim())
  const known = WEBHOOK_EVENTS.join(', ')
  return (
    event ?? fail('INVALID_INPUT', `--events: there is no event "${text}"; use some of ${known}`, { field: 'events' })
  )
}

export const webhooks: CommandGroup = { commands: [list, add, set, remove, enable, disable, test] }
