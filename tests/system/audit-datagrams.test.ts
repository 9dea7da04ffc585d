import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import type { AuditEntry } from '../../src/domain/server/audit.ts'
import { createAuditExport } from '../../src/services/server/audit/audit-export.ts'
import { movableClock } from '../helpers/movable-clock.ts'
import { needsPrograms } from '../helpers/needs.ts'
import { recordingLog } from '../helpers/recording-log.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

needsPrograms('logger', 'python3')

const ENTRY: AuditEntry = { time: '2026-11-29T12:00:00.000Z', who: 'bob', action: 'files.remove', outcome: 'done' }

it('copies of the activity log reach a socket that takes datagrams, such as /dev/log', async () => {
  await using folder = await tempFolder()
  const program = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("ready", flush=True)
sys.stdout.write(s.recv(65536).decode() + "\\n" + s.recv(65536).decode())`
  const child = spawn('python3', ['-c', program, folder.at('log')])
  await once(child.stdout, 'readable')
  const log = recordingLog()
  const targets = [`syslog+unix:${folder.at('log')}`]
  const copies = createAuditExport({ targets, clock: movableClock(), log })
  copies.send({ ...ENTRY, target: '/a' })
  const long = Array.from({ length: 100 }, (_, index) => ({ from: 'x'.repeat(100), to: `${index}` }))
  copies.send({ ...ENTRY, target: '/b', names: long, outcome: 'failed' })
  const [, first = '', second = ''] = (await text(child.stdout)).split('\n')
  expect(first).toMatch(/^<86>1 \S+ \S+ filemgr \d+ activity .*"target":"\/a".*\}$/)
  expect(second).toMatch(/^<83>1 .*"target":"\/b".*"more":100\}$/)
  await copies[Symbol.asyncDispose]()
  expect(log.lines).toEqual([])
})
