import { Option } from 'commander'
import { endMaintenance, getMaintenance } from '../../../api/server/maintenance.ts'
import { beginMaintenanceAsOperator } from '../../../api/server/operator.ts'
import type { MaintenanceStatus } from '../../../domain/server/maintenance.ts'
import { openDoor } from '../../door/door.ts'
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
    await using door = await openDoor(invocation)
    const body = {
      ...(typeof message === 'string' && { message }),
      ...(typeof until === 'string' && { until: timeFrom(until, '--until', 1) }),
    }
    const { status: state, withoutSignIn } = await door.call(beginMaintenanceAsOperator, { body })
    await show(invocation, state)
    if (withoutSignIn)
      invocation.output.notice('sign-in is switched off: everyone who counts as an administrator is still let in')
  },
})

const off = command({
  name: 'off',
  summary: 'Let everyone in again',
  operations: ['maintenance.end'],
  examples: [['maintenance off', 'open pages and their uploads continue by themselves']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await show(invocation, await door.call(endMaintenance, {}))
  },
})

const status = command({
  name: 'status',
  summary: 'Show whether maintenance mode is on, and what still runs',
  operations: ['maintenance.get'],
  examples: [
    ['maintenance status', 'also says how many downloads and jobs of users have not ended yet'],
    ['maintenance status --json', 'for scripts that wait for running.requests and running.jobs to become 0'],
  ],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await show(invocation, await door.call(getMaintenance, {}))
  },
})

export const maintenance: CommandGroup = { commands: [on, off, status] }

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
