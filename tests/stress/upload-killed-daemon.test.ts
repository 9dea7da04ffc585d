import { randomInt } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { SampleBytes, sha256OfFile } from '../helpers/samples/sample-bytes.ts'
import { isLong } from '../helpers/stress-size.ts'
import { startTestDaemon, type TestDaemon } from '../helpers/cli/test-daemon.ts'
import { storeWithToken, type TestStore } from '../helpers/cli/test-store.ts'
import { askOffset, beginUpload, sendPart } from '../helpers/cli/tus-client.ts'

const MEBIBYTE = 1024 * 1024
/** The default size of the parts that clients send. */
const CHUNK = 10 * MEBIBYTE
/** `FILEMGR_STRESS_UPLOAD=5000x3`: mebibytes and kills of a run by hand. */
const [mebibytes, kills] = (process.env['FILEMGR_STRESS_UPLOAD'] ?? (isLong ? '1024x20' : '128x5'))
  .split('x')
  .map(Number)
const LENGTH = (mebibytes ?? 128) * MEBIBYTE
const KILLS = kills ?? 5

/** How far the client had got. */
interface Progress {
  readonly sent: number
  readonly acknowledged: number
}

const start = async ({ data, root }: TestStore) => await startTestDaemon({ data, root })

/** Sends until the file is complete, or kills the daemon in the middle of a part once it has sent `killAt` bytes. */
async function send(
  daemon: TestDaemon,
  token: string,
  bytes: SampleBytes,
  from: number,
  killAt: number,
): Promise<Progress> {
  const target = { url: daemon.url, token, path: '/big.bin' }
  let killed: Promise<unknown> | undefined
  let [sent, acknowledged] = [from, from]
  while (acknowledged < bytes.length && killed === undefined) {
    const part = { start: acknowledged, end: Math.min(acknowledged + CHUNK, bytes.length) }
    const answer = await sendPart(target, bytes, part, (position) => {
      sent = position
      if (position >= killAt) killed ??= daemon.stop('SIGKILL')
    })
    if (answer !== undefined) expect(answer).toEqual({ status: 204, offset: part.end })
    acknowledged = answer?.offset ?? acknowledged
  }
  await killed
  return { sent, acknowledged }
}

it(`an upload of ${LENGTH / MEBIBYTE} MiB is whole after ${KILLS} SIGKILLs, and at most a part is sent again for each`, async () => {
  await using store = await storeWithToken()
  const bytes = new SampleBytes(LENGTH)
  const stretch = Math.floor(LENGTH / KILLS)
  const positions = Array.from({ length: KILLS }, (_, index) => index * stretch + randomInt(1, stretch))
  const { token } = store
  {
    await using daemon = await start(store)
    expect(await beginUpload({ url: daemon.url, token, path: '/big.bin' }, LENGTH)).toBe(201)
  }
  let before: Progress = { sent: 0, acknowledged: 0 }
  let resent = 0
  for (const killAt of [...positions, Infinity]) {
    await using daemon = await start(store)
    const { status, offset } = await askOffset({ url: daemon.url, token, path: '/big.bin' })
    expect(status).toBe(200)
    // Nothing that was acknowledged is lost.
    expect(offset).toBeGreaterThanOrEqual(before.acknowledged)
    expect(before.sent - offset).toBeLessThanOrEqual(CHUNK)
    resent += before.sent - offset
    before = await send(daemon, token, bytes, offset, killAt)
  }
  expect(resent).toBeLessThanOrEqual(KILLS * CHUNK)
  expect(await sha256OfFile(join(store.root, 'big.bin'))).toBe(bytes.sha256())
  expect(await readdir(store.root)).toEqual(['big.bin'])
  process.stdout.write(`${LENGTH / MEBIBYTE} MiB, ${KILLS} kills: ${(resent / MEBIBYTE).toFixed(1)} MiB sent again\n`)
}, 1_800_000)
