import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createDataFolder, PASSWORD, startDaemon } from '../daemon.ts'
import type { Scale } from './curve.ts'
import { addUsers, nameOf } from './stored-users.ts'

/** The limit per user. */
const OF_EACH = 16

export const streams: Scale = {
  name: 'idle event streams',
  sizes: [10, 100, 1000],
  async measure({ data, at, askOf, longestBeside }, size) {
    const folder = at(`streams-${size}-data`)
    createDataFolder(folder, data.root)
    const users = Math.ceil(size / OF_EACH)
    addUsers(folder, users)
    await using daemon = await startDaemon(folder, data.root)
    const before = daemon.meter.memory()
    const sockets: Socket[] = []
    for (let user = 0; user < users; user += 1) {
      const body = JSON.stringify({ username: nameOf(user), password: PASSWORD })
      const token = await (await fetch(`http://127.0.0.1:${daemon.port}/api/login`, { method: 'POST', body })).text()
      for (let count = 0; count < OF_EACH && sockets.length < size; count += 1)
        sockets.push(await openStream(daemon.port, token))
    }
    const memory = daemon.meter.memory()
    const small = await askOf(daemon, [{ path: `/api/raw/${data.kilobyte()}` }], { seconds: 3, pause: 5 })
    const longest = await longestBeside(daemon, async () => {
      writeFileSync(join(data.root, 'changed.txt'), String(size))
      await askOf(daemon, [{ path: '/api/resources/' }], { seconds: 2, pause: 100 })
    })
    for (const socket of sockets) socket.destroy()
    return [
      ['memory of the streams', memory - before, 'MB'],
      ['p99 of a small GET', small.p99 * 1000, 'ms'],
      ['longest /health beside a change', longest, 'ms'],
    ]
  },
}

async function openStream(port: number, token: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /api/events HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Auth: ${token}\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) throw new Error(answer.toString('latin1'))
  return socket
}
