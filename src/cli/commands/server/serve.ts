import { Option } from 'commander'
import { ServerOptions } from '../../../domain/server/server-options.ts'
import { MEMBER } from '../../../platform/processes/member.ts'
import { obsoleteFlags } from '../../old-flags.ts'
import { command } from '../../program/command.ts'
import { passwordOptions } from '../../program/prompts.ts'
import { optionsOf, patchFrom } from '../../program/schema-options.ts'
import { shareOptions } from '../../share-links.ts'

const flags = optionsOf(ServerOptions)

export const serve = command({
  name: 'serve [folder]',
  summary: 'Serve a folder to browsers',
  outlivesOutput: true,
  options: [
    ...flags,
    new Option('--username <name>', 'administrator created at the first start (default: admin)'),
    ...passwordOptions(),
    new Option('--ephemeral', 'keep accounts and settings in memory only, until the daemon stops'),
    new Option('--share', 'create a public link to the folder and print it'),
    ...shareOptions(),
    new Option('--open', 'open the browser'),
    new Option('--qr', 'print the address as a QR code'),
    ...obsoleteFlags(),
  ],
  examples: [
    ['serve .', 'serve this folder to this machine'],
    ['serve /srv/files --address 0.0.0.0 --port 8000', 'serve a folder to the network'],
    ['serve . --ephemeral --read-only --qr', 'share a folder once and leave nothing behind'],
    ['serve . --ephemeral --address 0.0.0.0 --share --expires 2h', 'a public link that works for two hours'],
    ['serve . --ephemeral --port 0 --json', 'for scripts: prints one line with address, password and token'],
    ['serve /srv/files --socket /run/filemgr.sock --base-url /files', 'behind a proxy'],
  ],
  async run(invocation) {
    const given = patchFrom(flags, invocation.values)
    if (MEMBER.count > 1) {
      const { runMember } = await import('../../serve/member.ts')
      await runMember(invocation, given)
      return
    }
    const [{ runDaemon }, { processesFrom }] = await Promise.all([
      import('../../serve/run-daemon.ts'),
      import('../../serve/serve-input.ts'),
    ])
    const processes = await processesFrom(invocation, given)
    if (processes === 1) await runDaemon(invocation, given)
    else {
      const { superviseDaemons } = await import('../../serve/supervise.ts')
      await superviseDaemons(invocation, processes)
    }
  },
})
