import type { TestDaemon } from '../helpers/cli/test-daemon.ts'
import type { Machines } from './machines.ts'

/** An upload of some bytes to /large.bin, at any daemon. */
export function uploadTo({ ask }: Machines, body: Buffer) {
  const at = async (daemon: TestDaemon, method: string, headers: Record<string, string> = {}, more: RequestInit = {}) =>
    await ask(daemon, 'api/tus/large.bin', { method, headers, ...more })
  const part = (offset: number) => ({
    'upload-offset': String(offset),
    'content-type': 'application/offset+octet-stream',
  })
  const offsetOf = ({ headers }: Response) => Number(headers.get('upload-offset'))
  const send = async (daemon: TestDaemon, start: number, end: number) =>
    await at(daemon, 'PATCH', part(start), { body: new Uint8Array(body.subarray(start, end)) })
  return {
    begin: async (daemon: TestDaemon) =>
      await at(daemon, 'POST', { 'upload-length': String(body.length), 'upload-metadata': `note ${btoa('kept')}` }),
    head: async (daemon: TestDaemon) => await at(daemon, 'HEAD'),
    offset: async (daemon: TestDaemon) => offsetOf(await at(daemon, 'HEAD')),
    try: async (daemon: TestDaemon, start: number, end: number) => await send(daemon, start, end),
    send: async (daemon: TestDaemon, start: number, end = body.length) => offsetOf(await send(daemon, start, end)),
    /**
     * Sends some bytes and then stalls, as when the network fails.
     *
     * @param late bytes that follow later, if any
     * @returns the status of the reply
     */
    async stall(daemon: TestDaemon, start: number, end: number, late?: Promise<Buffer>): Promise<number | undefined> {
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          controller.enqueue(new Uint8Array(body.subarray(start, end)))
          void late?.then((bytes) => controller.enqueue(new Uint8Array(bytes))).catch(() => undefined)
        },
      })
      const reply = await at(daemon, 'PATCH', part(start), { body: stream, duplex: 'half' } as RequestInit).catch(
        () => undefined,
      )
      return reply?.status
    },
    async whole(daemon: TestDaemon): Promise<boolean> {
      const raw = await ask(daemon, 'api/raw/large.bin')
      return Buffer.from(await raw.arrayBuffer()).equals(body)
    },
  }
}
