import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import { addUser } from '../contract/store/samples.ts'
import { freePort } from '../helpers/free-port.ts'
import { listening } from '../helpers/cluster/listening.ts'
import { tempFolder } from '../helpers/temp-folder.ts'
import { clusterOfFile } from './opened.ts'

const { created, node } = clusterOfFile()

/** PgBouncer before the server of a URL. */
async function pooled(url: string, mode: 'session' | 'transaction') {
  await using held = new AsyncDisposableStack()
  const { hostname, port, pathname, username } = new URL(url)
  const own = await freePort()
  const folder = held.use(
    await tempFolder({
      'pgbouncer.ini': [
        '[databases]',
        `* = host=${hostname} port=${port}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${own}`,
        'unix_socket_dir =',
        'auth_type = any',
        `pool_mode = ${mode}`,
        'ignore_startup_parameters = extra_float_digits',
      ]
        .map((line) => (line.startsWith('*') ? `${line} user=${username}` : line))
        .join('\n'),
    }),
  )
  await chmod(folder.path, 0o755)
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : []
  const [command, ...args] = [...account, 'pgbouncer', '-q', folder.at('pgbouncer.ini')]
  const child = spawn(command, args, { stdio: 'ignore' })
  const ended = once(child, 'close')
  held.defer(async () => {
    child.kill('SIGTERM')
    await ended
  })
  await Promise.race([listening(own), ended.then(() => Promise.reject(new Error('pgbouncer ended')))])
  const all = held.move()
  return {
    url: `postgres://${username}@127.0.0.1:${own}${pathname}`,
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

it('a daemon refuses a pooler that shares sessions between clients, in one line', async () => {
  await using pooler = await pooled(await created(), 'transaction')
  await expect(openPostgres({ url: pooler.url, follows: true })).rejects.toMatchObject({
    code: 'STORE_INVALID',
    message: expect.stringMatching(/^[^\n]*a connection pooler shares sessions.*pool_mode = session\.$/) as string,
  })
})

it('a pooler that gives each client a session is used', async () => {
  const url = await created()
  await using pooler = await pooled(url, 'session')
  await using one = await openPostgres({ url: pooler.url, follows: true })
  const other = await node(url)
  await one.store.update(addUser)
  await expect.poll(() => other.store.snapshot().users.length).toBe(2)
})
