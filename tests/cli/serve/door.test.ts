import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createUserAsOperator } from '../../../src/api/accounts/operator.ts'
import { createBackupAsOperator, restoreBackupAsOperator } from '../../../src/api/server/operator.ts'
import { uploadBrandingAsOperator } from '../../../src/api/settings/operator.ts'
import { listUsers } from '../../../src/api/accounts/users.ts'
import { openDoor } from '../../../src/cli/door/door.ts'
import type { Invocation } from '../../../src/cli/program/command.ts'
import { createOutput } from '../../../src/cli/terminal/output.ts'
import { fail } from '../../../src/domain/errors.ts'
import { MAX_PICTURE_BYTES } from '../../../src/domain/settings/branding.ts'
import { callHeader } from '../../../src/operations/call-header.ts'
import { addressOf } from '../../../src/operations/handler.ts'
import { connectDaemon } from '../../../src/platform/network/daemon-socket.ts'
import { tryDataLock } from '../../../src/store/writer/data-lock.ts'
import { serveLine } from '../../helpers/browser/test-server.ts'
import { bareEnvironment, startCli } from '../../helpers/cli/run-cli.ts'
import { startTestDaemon } from '../../helpers/cli/test-daemon.ts'
import { storeWithToken, testStore } from '../../helpers/cli/test-store.ts'
import { containing } from '../../helpers/texts.ts'

/** A command on a data folder. */
function commandOn(data: string): Invocation {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  const terminal = {
    stdin,
    stdout,
    stderr,
    env: bareEnvironment(),
    cwd: () => data,
  } as unknown as Invocation['terminal']
  const style = { json: false, quiet: true, color: false, plain: true }
  return {
    terminal,
    output: createOutput(style, terminal),
    globals: { data, json: false, quiet: true, debug: false },
    words: [],
    values: {},
    entries: [],
    isOldLine: false,
  }
}

/** Random, so that no part of a connection can hold much of it. */
async function* picture(size = MAX_PICTURE_BYTES): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < size; sent += 64 * 1024) yield crypto.getRandomValues(new Uint8Array(64 * 1024))
}

describe('the door of commands', () => {
  it('leads to a daemon that starts after it was opened, and back when that has ended', async () => {
    await using store = await storeWithToken()
    await using door = await openDoor(commandOn(store.data))
    const add = async (username: string) =>
      await door.call(createUserAsOperator, { body: { username, password: `the passphrase of ${username}` } })
    await add('before')
    const daemon = await startTestDaemon({ data: store.data, root: store.root })
    await add('beside')
    const headers = { 'x-auth': store.token }
    const seen = (await (await fetch(`${daemon.url}api/users`, { headers })).json()) as { username: string }[]
    expect(seen.map(({ username }) => username)).toEqual(['admin', 'before', 'beside'])
    await daemon.stop()
    await add('after')
    const all = ['admin', 'before', 'beside', 'after']
    expect((await door.call(listUsers, {})).map(({ username }) => username)).toEqual(all)
    const { stdout } = await store.run(['logs', '--audit', '--action', 'users.create', '--json'])
    expect(stdout.match(/"target":"\w+"/g)).toEqual(['before', 'beside', 'after'].map((name) => `"target":"${name}"`))
  })

  it('leads to a daemon that starts while the operation waits to write', async () => {
    await using store = await testStore()
    await using door = await openDoor(commandOn(store.data))
    const lock = await tryDataLock(store.data)
    const body = { username: 'ann', password: 'the passphrase of ann' }
    const adding = door.call(createUserAsOperator, { body })
    await using daemon = startCli(serveLine(store.root, { data: store.data }))
    await setTimeout(100)
    lock?.[Symbol.dispose]()
    // Without a turn for the operation, so that the daemon gets the lock.
    while (!existsSync(join(store.data, 'control.sock')))
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
    expect(await adding).toMatchObject({ username: 'ann' })
    await daemon.firstLine()
    expect((await store.json<object[]>(['users', 'ls'])).length).toBe(2)
    const { stdout } = await store.run(['logs', '--audit', '--json'])
    expect(stdout.match(/"action":"[a-z.]+"/g)).toEqual(['"action":"users.create"'])
  })

  it('takes bytes as they come, also of what a daemon refuses half way', async () => {
    await using store = await testStore()
    await using _daemon = await startTestDaemon({ data: store.data, root: store.root })
    await using door = await openDoor(commandOn(store.data))
    const put = async (name: string, body: AsyncIterable<Uint8Array>) =>
      await door.call(uploadBrandingAsOperator, { params: { name }, body })
    expect(await put('img/a.png', picture())).toMatchObject([{ name: 'img/a.png', size: MAX_PICTURE_BYTES }])
    await expect(put('img/b.png', picture(Infinity))).rejects.toMatchObject({ code: 'TOO_LARGE' })
    await expect(put('img/b.png', failing())).rejects.toThrow('the disk')
    const backup = store.at('state.tar')
    expect(await store.json(['backup', 'create', backup])).toMatchObject({ users: 1 })
    expect(await store.run(['backup', 'create', '-'])).toMatchObject({ code: 0, stdout: containing('manifest.json') })
    const [before, half] = [await store.saved(), (await readFile(backup)).subarray(0, -2048)]
    await writeFile(backup, half)
    expect(await store.run(['restore', backup, '--yes'])).toMatchObject({ code: 2 })
    const query = { dryRun: false }
    await expect(door.call(restoreBackupAsOperator, { query, body: failing(half) })).rejects.toThrow('the disk')
    expect(await store.saved()).toBe(before)
  })

  it('lets a daemon end whose bytes are not taken', async () => {
    await using store = await testStore()
    const daemon = await startTestDaemon({ data: store.data, root: store.root })
    await using door = await openDoor(commandOn(store.data))
    for (const name of ['img/a.png', 'img/b.png'])
      await door.call(uploadBrandingAsOperator, { params: { name }, body: picture() })
    // Without the patience of a command, which asks whether a silent daemon is still there.
    const [socket, headers] = [await connectDaemon(store.data), callHeader({ by: { account: '' }, store: '' })]
    const path = addressOf(createBackupAsOperator)
    const asked = request({
      method: 'POST',
      path,
      headers,
      createConnection: () => socket ?? fail('DAEMON_NOT_RUNNING', 'none'),
    }).end()
    const [reply] = (await once(asked, 'response')) as [IncomingMessage]
    expect(await daemon.stop()).toMatchObject({ code: 0 })
    await expect(buffer(reply)).rejects.toThrow('aborted')
  })
})

async function* failing(first: Uint8Array = new Uint8Array(1024)): AsyncGenerator<Uint8Array> {
  yield first
  throw new Error('the disk has failed')
}
