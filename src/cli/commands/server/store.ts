import { resolve } from 'node:path'
import { Option } from 'commander'
import { fail } from '../../../domain/errors.ts'
import { counted } from '../../../domain/text/units.ts'
import { requireLocalPath } from '../../../domain/server/addresses.ts'
import { isStoreUrl, storeName } from '../../../domain/server/store-url.ts'
import { command, type CommandGroup, type Invocation } from '../../program/command.ts'
import { ownStoreLocation, refuseVisiblePassword } from '../../store-location.ts'
import { commandLog } from '../../terminal/output.ts'

const copy = command({
  name: 'copy',
  summary: 'Copy accounts, settings, links and sessions between the data folder and a database',
  options: [
    new Option('--from <place>', 'data folder or database; default: the store in use'),
    new Option('--to <place>', 'data folder or database; default: the store in use'),
    new Option('--replace', 'replace a store that is there'),
  ],
  examples: [
    [
      'store copy --from ./data --to postgres://filemgr@db/filemgr',
      'into an empty database; the folder stays as it is',
    ],
    ['store copy --from postgres://filemgr@db/filemgr --to ./data', 'and back'],
  ],
  async run(invocation) {
    const { values, output } = invocation
    if (values['from'] === undefined && values['to'] === undefined)
      fail('INVALID_INPUT', 'name the source with --from, or the target with --to', { field: 'from' })
    const [from, to] = [await placeOf(invocation, 'from'), await placeOf(invocation, 'to')]
    if (storeName(from) === storeName(to)) fail('INVALID_INPUT', '--from and --to are the same store', { field: 'to' })
    const [{ copyStore }, { readDaemon }, { recordedAlone }] = await Promise.all([
      import('../../../upkeep/copy-store.ts'),
      import('../../../context/daemon-record.ts'),
      import('../../door/without-store.ts'),
    ])
    const work = async () => await copyStore({ from, to, replace: values['replace'] === true, log: commandLog(output) })
    const report = await recordedAlone(invocation, { action: 'store.copy' }, work)
    const { users, shares, sessions } = report
    await output.answer({
      json: { from: storeName(from), to: storeName(to), ...report },
      ids: [storeName(to)],
      text: `copied ${counted(users, 'user')}, ${counted(shares, 'link')} and ${counted(sessions, 'session')} to ${storeName(to)}`,
    })
    const daemon = from.url === '' ? await readDaemon(from.folder) : undefined
    if (daemon !== undefined)
      output.notice(
        `the running daemon (pid ${daemon.pid}) still uses ${from.folder}; what it changes now is not copied`,
      )
  },
})

async function placeOf(invocation: Invocation, name: 'from' | 'to'): ReturnType<typeof ownStoreLocation> {
  const { values, terminal } = invocation
  const named = values[name]
  const own = await ownStoreLocation(invocation)
  if (typeof named !== 'string') return own
  if (!isStoreUrl(named)) {
    requireLocalPath(named, `--${name}`, 'name a folder, or a database such as postgres://filemgr@db/filemgr')
    return { folder: resolve(terminal.cwd(), named), url: '' }
  }
  refuseVisiblePassword(named, `--${name}`)
  // The URL of the configured store may have a password, which --from and --to must not have.
  return storeName(own) === storeName({ folder: '', url: named }) ? own : { ...own, url: named }
}

export const store: CommandGroup = { commands: [copy] }
