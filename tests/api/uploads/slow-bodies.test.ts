import { expect, it } from 'vitest'
import { rawSocket } from '../../helpers/api/raw-socket.ts'
import { testApp } from '../../helpers/api/test-app.ts'

/** Begins a request of 1000 bytes and sends three of them. */
async function begin(server: Awaited<ReturnType<typeof testApp>>, line: string, token = '') {
  const connection = await rawSocket(server.app)
  connection.socket.write(`${line} HTTP/1.1\r\nHost: localhost\r\nX-Auth: ${token}\r\nContent-Length: 1000\r\n\r\n{"a`)
  return connection
}

it('a small call whose body does not arrive in time is refused, and its connection closed', async () => {
  await using server = await testApp({ bodyTime: 300 })
  const { token } = await server.admin()
  using upload = await begin(server, 'POST /api/resources/a.txt', token)
  using download = await rawSocket(server.app)
  download.socket.write(`GET /api/events HTTP/1.1\r\nHost: localhost\r\nX-Auth: ${token}\r\n\r\n`)
  for (const line of ['POST /api/login', 'PUT /api/settings']) {
    using connection = await begin(server, line, token)
    await connection.closed
    expect(connection.received()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n[^]*\r\n\r\n408 Request Timeout\n$/)
    expect(connection.received()).toMatch(/\r\nconnection: close\r\n/i)
  }
  expect([upload.socket.destroyed, upload.received()]).toEqual([false, ''])
  expect([download.socket.destroyed, download.received()]).toEqual([false, expect.stringContaining(' 200 OK')])
  expect(server.log.filter(({ level }) => level === 'error')).toEqual([])
})

it('the server does not wait for ever for the rest of a refused body', async () => {
  await using server = await testApp({ bodyTime: 30 })
  using upload = await begin(server, 'POST /api/resources/a.txt')
  await upload.closed
  expect(upload.received()).toMatch(/^HTTP\/1\.1 401 /)
})
