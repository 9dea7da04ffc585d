import { chmod } from 'node:fs/promises'
import { expect } from 'vitest'
import { daemonAccount } from '../../../src/cli/doctor/daemon-account.ts'
import type { Finding, DoctorContext } from '../../../src/cli/doctor/doctor-context.ts'
import { runChecks } from '../../../src/cli/doctor/run-checks.ts'
import { inspectStore } from '../../../src/upkeep/inspect-store.ts'
import { defaultsOf } from '../../../src/domain/schema/schema-tools.ts'
import { ServerOptions } from '../../../src/domain/server/server-options.ts'
import type { StoreDocument } from '../../../src/store/document.ts'
import { createStore } from '../../../src/store/open-stores.ts'
import { planImport } from '../../../src/import/filebrowser/plan-import.ts'
import { importInput, type OldDatabase } from '../../helpers/samples/old-installation.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'

/** A sound installation, damaged by `spoil`; `examine` runs the checks of the doctor on it. */
export async function installation(old: OldDatabase = {}, spoil: (document: StoreDocument) => void = () => undefined) {
  const folder = await tempFolder({ 'files/a.txt': 'a' })
  const sound: OldDatabase = {
    settings: { signup: false, createUserDir: true },
    users: [{ id: 1, username: 'admin' }],
    ...old,
  }
  const { document } = planImport(importInput(sound))
  spoil(document)
  const data = folder.at('data')
  await createStore(data, document)
  const examine = async (context: Partial<DoctorContext> = {}, changed: Partial<ServerOptions> = {}) => {
    const own = { root: folder.at('files'), port: 0, disableThumbnails: true }
    const options = { ...defaultsOf(ServerOptions), ...own, ...changed }
    return await runChecks({
      folder: data,
      database: '',
      store: await inspectStore({ folder: data, url: '' }),
      options,
      nextOptions: options,
      daemon: undefined,
      account: await daemonAccount(data, undefined),
      url: undefined,
      isPublic: false,
      environment: {},
      programs: folder.at('bin'),
      now: Date.now(),
      token: async () => 'a token',
      ...context,
    })
  }
  await folder.fill({ 'bin/ffmpeg': '', 'bin/heif-dec': '', 'bin/pdftoppm': '' })
  for (const name of ['ffmpeg', 'heif-dec', 'pdftoppm']) await chmod(folder.at(`bin/${name}`), 0o755)
  return Object.assign(folder, { data, examine, store: folder.at('data/store.json') })
}

type Examined = Awaited<ReturnType<Awaited<ReturnType<typeof installation>>['examine']>>

/** Names of the checks that found something, with what they found. */
export function found(examined: Examined): Record<string, readonly Finding[]> {
  return Object.fromEntries(
    examined.filter(({ findings }) => findings.length > 0).map((each) => [each.name, each.findings]),
  )
}

/** Expects a single finding of a single check. */
export function expectOnly(examined: Examined, name: string, problem: string, level: Finding['level'] = 'fault'): void {
  const only = {
    level,
    problem: expect.stringContaining(problem) as string,
    fix: expect.stringMatching(/.{8}/) as string,
  }
  expect(found(examined)).toEqual({ [name]: [only] })
}
