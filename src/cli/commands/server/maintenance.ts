import { Option } from 'commander'
import { OPERATOR } from '../../../domain/accounts/actor.ts'
import { isAdministrator } from '../../../domain/accounts/user.ts'
import type { MaintenanceStatus } from '../../../domain/server/maintenance.ts'
import { openDaemonClient } from '../../daemon-client.ts'
import { findDaemon } from '../../find-daemon.ts'
import { openContext } from '../../open-context.ts'
import { counted } from '../../../domain/text/units.ts'
import { command, type CommandGroup, type Invocation } from '../../program/command.ts'
import { timeFrom } from '../../time-text.ts'

const on = command({
  name: 'on',
  summary: 'Let only administrators in, or change the message',
  operations: ['maintenance.begin'],
  options: [
    new Option('--message <text>', 'what users and visitors see'),
    new Option('--until <time>', 'expected end, which is only shown, such as 2h or 2026-11-24T08:00'),
  ],
  examples: [
    ['maintenance on', 'users and visitors get 503; their uploads stop and resume afterwards'],
    ['maintenance on --message "New disks" --until 2h', 'they see the message and the expected end'],
  ],
  async run(invocation) {
    const { message, until } = invocation.values
    await using context = await openContext(invocation)
    const { auth, maintenance } = context.services
    await maintenance.begin(OPERATOR, {
      ...(typeof message === 'string' && { message }),
      ...(typeof until === 'string' && { until: timeFrom(until, '--until', 1) }),
    })
    await show(invocation, await currentStatus(invocation))
    if (auth.method() === 'noauth')
      invocation.output.notice('sign-in is switched off: everyone who counts as an administrator is still let in')
  },
})

const off = command({
  name: 'off',
  summary: 'Let everyone in again',
  operations: ['maintenance.end'],
  examples: [['maintenance off', 'open pages and their uploads continue by themselves']],
  async run(invocation) {
    await using context = await openContext(invocation)
    await show(invocation, await context.services.maintenance.end(OPERATOR))
  },
})

const status = command({
  name: 'status',
  summary: 'Show whether maintenance mode is on, and what still runs',
  operations: ['maintenance.get'],
  reads: true,
  examples: [
    ['maintenance status', 'also says how many downloads and jobs of users have not ended yet'],
    ['maintenance status --json', 'for scripts that wait for running.requests and running.jobs to become 0'],
  ],
  run: async (invocation) => await show(invocation, await currentStatus(invocation)),
})

export const maintenance: CommandGroup = { commands: [on, off, status] }

/** Only the daemon knows what runs. */
async function currentStatus(invocation: Invocation): Promise<MaintenanceStatus> {
  await using context = await openContext(invocation)
  const own = context.services.maintenance.status(OPERATOR)
  const canAsk = own.on && context.store.snapshot().users.some(isAdministrator)
  if (!canAsk || (await findDaemon(invocation)) === undefined) return own
  await using daemon = await openDaemonClient(invocation)
  return await daemon.request<MaintenanceStatus>('GET', 'api/maintenance')
}

async function show({ output }: Invocation, state: MaintenanceStatus): Promise<void> {
  await output.answer({ json: state, ids: [state.on ? 'on' : 'off'], text: textOf(state).join('\n') })
}

function textOf({ on: isOn, message, since, until, running }: MaintenanceStatus): string[] {
  if (!isOn) return ['maintenance mode is off']
  return [
    `maintenance mode is on since ${since ?? ''}: only administrators are let in`,
    ...(message === '' ? [] : [`message: ${message}`]),
    ...(until === null ? [] : [`expected end: ${until}`]),
    `still running for users and visitors: ${counted(running.requests, 'request')}, ${counted(running.jobs, 'job')}`,
  ]
}
