import { spawnSync } from 'node:child_process'
import { chmod, mkdir, readFile, rmdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { session, sessionFolder } from './session-sample.ts'

const [one, two] = [session('one'), session('two')]

it('sessions are empty at first, and saved ones are found again', async () => {
  const data = await sessionFolder()
  const { sessions } = await data.open({ daemon: true })
  expect(sessions.all()).toEqual([])
  await sessions.change({ put: [one, two] })
  await sessions.change({ put: [{ ...two, lastSeenAt: 5 }], remove: [one.family] })
  const again = await data.open()
  expect(again.sessions.all()).toEqual([{ ...two, lastSeenAt: 5 }])
  expect(again.sessions.get(one.family)).toBeUndefined()
})

it('a change writes the sessions that it changes, and no other', async () => {
  const data = await sessionFolder()
  const { sessions } = await data.open({ daemon: true })
  await sessions.change({ put: [one, two] })
  const inodes = async () =>
    await Promise.all([one, two].map(async ({ family }) => (await stat(data.at(`${family}.json`))).ino))
  const [before, notified] = [await inodes(), [] as unknown[]]
  sessions.onChange((changes) => notified.push(...changes))
  await sessions.change({ put: [{ ...two, lastSeenAt: 9 }] })
  const after = await inodes()
  expect([after[0] === before[0], after[1] === before[1]]).toEqual([true, false])
  expect(notified).toEqual([{ before: two, now: { ...two, lastSeenAt: 9 } }])
})

it('a change applies at once, and a session that is removed while it is written stays removed', async () => {
  const data = await sessionFolder()
  const { sessions } = await data.open({ daemon: true })
  const put = sessions.change({ put: [one] })
  expect(sessions.get(one.family)).toEqual(one)
  const removed = sessions.change({ remove: [one.family] })
  expect(sessions.all()).toEqual([])
  await Promise.all([put, removed])
  expect(await data.names()).toEqual([])
})

it('damaged files are no sessions, and the next change removes the leftovers of a killed writer', async () => {
  const data = await sessionFolder()
  const first = await data.open({ daemon: true })
  await first.sessions.change({ put: [one, two] })
  await first[Symbol.asyncDispose]()
  await writeFile(data.at(`${one.family}.json`), '\0\0\0')
  await writeFile(data.at(`${one.family}.json.tmp`), 'half')
  const { sessions } = await data.open({ daemon: true })
  expect(sessions.all()).toEqual([two])
  await sessions.change({ put: [{ ...two, lastSeenAt: 1 }] })
  expect(await data.names()).toEqual([`${one.family}.json`, `${two.family}.json`])
})

it('a session whose file cannot be removed ends all the same, and its removal is tried again', async () => {
  const data = await sessionFolder()
  const { sessions } = await data.open({ daemon: true })
  await sessions.change({ put: [one] })
  const path = data.at(`${one.family}.json`)
  const text = await readFile(path)
  await unlink(path)
  await mkdir(path)
  await sessions.change({ remove: [one.family] })
  expect(sessions.all()).toEqual([])
  expect(data.logged.join()).toContain('Removed records could not be deleted')
  await rmdir(path)
  await writeFile(path, text)
  await sessions.change({ put: [two] })
  expect(await data.names()).toEqual([`${two.family}.json`])
})

it('a session whose file cannot be removed does not come back after kill -9', async () => {
  const data = await sessionFolder()
  const { sessions } = await data.open({ daemon: true })
  await sessions.change({ put: [one] })
  // As after kill -9: nothing of this store is closed, and the record is there.
  const isRefused = spawnSync('chattr', ['+i', data.at('')]).status === 0
  if (!isRefused) await chmod(data.at(''), 0o500)
  try {
    await sessions.change({ remove: [one.family] })
    const command = await data.open()
    expect(command.sessions.all()).toEqual([])
  } finally {
    if (isRefused) spawnSync('chattr', ['-i', data.at('')])
    else await chmod(data.at(''), 0o700)
  }
})

it('a session that cannot be written is not valid', async () => {
  const data = await sessionFolder()
  const { sessions } = await data.open({ daemon: true })
  await writeFile(join(data.folder, 'sessions'), 'in the way')
  await expect(sessions.change({ put: [one] })).rejects.toMatchObject({ code: 'STORE_INVALID' })
  expect(sessions.all()).toEqual([])
})

it('a command ends no session beside a daemon, which alone writes', async () => {
  const data = await sessionFolder()
  const daemon = await data.open({ daemon: true })
  await daemon.sessions.change({ put: [one, two] })
  const command = await data.open()
  await expect(command.sessions.change({ remove: [one.family] })).rejects.toMatchObject({ code: 'STORE_BUSY' })
  expect(daemon.sessions.all()).toEqual([one, two])
})

it('a command makes its changes itself if no daemon runs, and fails if it cannot', async () => {
  const data = await sessionFolder()
  const daemon = await data.open({ daemon: true })
  await daemon.sessions.change({ put: [one, two] })
  await daemon[Symbol.asyncDispose]()
  const command = await data.open()
  await command.sessions.change({ remove: [one.family] })
  expect(await data.names()).toEqual([`${two.family}.json`])
  const path = data.at(`${two.family}.json`)
  await unlink(path)
  await mkdir(path)
  await expect(command.sessions.change({ remove: [two.family] })).rejects.toMatchObject({ code: 'STORE_INVALID' })
})

it('a command reads the sessions at its first access, not at its start', async () => {
  const data = await sessionFolder()
  const command = await data.open()
  const daemon = await data.open({ daemon: true })
  await daemon.sessions.change({ put: [one] })
  expect(command.sessions.get(one.family)).toEqual(one)
})
