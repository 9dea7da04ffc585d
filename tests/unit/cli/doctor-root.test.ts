import { mkdir, rename, symlink, writeFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { beginStaging } from '../../../src/context/staging-run.ts'
import { silentLogger } from '../../../src/platform/logging/logger.ts'
import { identityOf } from '../../../src/platform/files/served-root.ts'
import { StagedNames } from '../../../src/storage/reserved-names.ts'
import { expectOnly, found, installation } from './installation.ts'

describe('the served folder', () => {
  it.each([
    ['nowhere', 'does not exist'],
    ['files/a.txt', 'is not a folder'],
  ])('(%s) is reported if it %s', async (name, problem) => {
    await using here = await installation()
    const { root } = found(await here.examine({}, { root: here.at(name) }))
    expect(root).toMatchObject([{ level: 'fault', problem: expect.stringContaining(problem) as string }])
  })

  it('is reported if it is a different folder than when the daemon started', async () => {
    await using here = await installation()
    const path = here.at('files')
    const record = { pid: 1, url: '', version: '1.2.3', started: new Date().toISOString() }
    const daemon = { ...record, root: { path, identity: (await identityOf(path)) ?? '' } }
    expect(found(await here.examine({ daemon }))['root']).toBeUndefined()
    await rename(path, here.at('unmounted'))
    await mkdir(path)
    expectOnly(await here.examine({ daemon }), 'root', 'or a different folder than when the daemon started')
  })

  it('is reported if it holds files of killed daemons or trash that belongs to no user', async () => {
    await using here = await installation()
    await using run = await beginStaging(here.data, silentLogger)
    const ofThisInstallation = new StagedNames({
      installation: run.names.stager?.installation ?? '',
      run: 'bbbbbbbb',
    }).next()
    const ofAnotherInstallation = '.aaaaaaaa-bbbbbbbb-Zx3_-9aBcDeF.fm-tmp'
    const withoutInstallation = '.Zx3_-9aBcDeF.fm-tmp'
    for (const name of [ofThisInstallation, ofAnotherInstallation, withoutInstallation])
      await writeFile(here.at(`files/${name}`), 'half')
    for (const id of ['1', '9']) await mkdir(here.at(`files/.filemgr-trash/${id}`), { recursive: true })
    const young = [
      `/${ofThisInstallation} (4B) was left unfinished by a daemon that was killed`,
      '/.filemgr-trash/9 is the trash of a user',
    ]
    const old = [...young, `/${ofAnotherInstallation} (4B)`, `/${withoutInstallation} (4B)`]
    for (const [now, expected] of [
      [Date.now(), young],
      [Date.now() + 86_400_000 + 60_000, old],
    ] as const) {
      const findings = found(await here.examine({ now }))['hidden-files'] ?? []
      expect(findings.map(({ level }) => level)).toEqual(expected.map(() => 'advice'))
      for (const text of expected)
        expect(findings).toContainEqual(expect.objectContaining({ problem: expect.stringContaining(text) as string }))
    }
  })

  it('is reported if a link leads out of it, as a fault if links are followed', async () => {
    await using here = await installation()
    await symlink('/etc', here.at('files/out'))
    await symlink('a.txt', here.at('files/in'))
    expectOnly(await here.examine(), 'links', 'out leads out', 'advice')
    expectOnly(
      await here.examine({}, { followExternalSymlinks: true }),
      'links',
      'out lets users leave the served folder',
    )
  })
})
