import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { tempFolder } from '../helpers/temp-folder.ts'
import { startDaemon, type Daemon } from './daemon.ts'
import { createClient, type Answers, type Load, type Request } from './client.ts'
import { createData, spreadFolders, type Data } from './data.ts'
import { firstLine, listening, output, startProgram } from './processes.ts'
import type { Sample } from './row.ts'

/** Everything that is measured and everything needed for it, in a temporary folder that is removed when disposed. */
export interface Workbench extends AsyncDisposable {
  readonly data: Data
  readonly daemon: Daemon
  /** A path in the temporary folder. */
  at(name: string): string
  /** Sends requests to a local server. @throws if one fails */
  send(port: number, requests: readonly Request[], load?: Load): Promise<Answers>
  /** Sends requests to the daemon as administrator; CPU and memory are the daemon's. */
  ask(requests: readonly Request[], load?: Load): Promise<Sample & Answers>
  /** The same with another daemon. */
  askOf(daemon: Daemon, requests: readonly Request[], load?: Load): Promise<Sample & Answers>
  /** The longest reply time of /health while work runs, in milliseconds. */
  longestBeside(daemon: Daemon, work: () => Promise<unknown>): Promise<number>
  freePort(): Promise<number>
  /** Ports of servers to compare with, started at first use. */
  helloServer(): Promise<number>
  nginx(): Promise<number>
  /** Reads and sends, or receives and writes. @param waits for the disk before replying */
  limitServer(waits: boolean): Promise<number>
  /** What one operation of loop.c takes, each on disk before the next; milliseconds by the clock, processor seconds. */
  loop(kind: string): Promise<Sample>
  /** The same of loop.ts, which writes files. */
  nodeLoop(): Promise<Sample>
}

export const HELLO = `require('node:http').createServer((_, answer) => answer.end('hello')).listen(Number(process.argv[1]), '127.0.0.1')`

const LOOP = join(import.meta.dirname, 'loop.ts')
/** Operations of a bare loop. */
const LOOPED = 1000

export async function openWorkbench(): Promise<Workbench> {
  await using opened = new AsyncDisposableStack()
  const folder = opened.use(await tempFolder())
  spreadFolders(folder.path)
  await folder.fill({ 'files/': '' })
  const data = createData(folder.at('files'))
  const limits = await compiled('limits', folder.path)
  const loop = await compiled('loop', folder.path)
  const { send, probe } = createClient(await compiled('client', folder.path))
  const daemon = opened.use(await startDaemon(folder.at('data'), data.root))

  const looped = async (program: string, ...args: string[]) => {
    const own = mkdtempSync(folder.at('loop-'))
    const [cpu = 0, value = 0] = (await output(program, [...args, own, String(LOOPED)])).split(' ').map(Number)
    return { value, cpu: cpu / 1000 }
  }

  const ports = new Map<string, Promise<number>>()
  const started = async (name: string, start: () => Promise<number>) => {
    const port = ports.get(name) ?? start()
    ports.set(name, port)
    return await port
  }
  const servers = opened.use(new AsyncDisposableStack())
  const askOf: Workbench['askOf'] = async ({ port, token, meter }, requests, load) => {
    const own = requests.map((request) => ({ ...request, headers: { 'X-Auth': token, ...request.headers } }))
    const { result, cpu, memory } = await meter.during(async () => await send(port, own, load))
    return { ...result, value: result.seconds, cpu, memory }
  }
  const all = opened.move()
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      // Now that nobody listens any more, the signal ends the program.
      void all[Symbol.asyncDispose]().finally(() => process.kill(process.pid, signal))
    })
  return {
    data,
    daemon,
    at: folder.at,
    send,
    askOf,
    ask: async (requests, load) => await askOf(daemon, requests, load),
    longestBeside: async ({ port }, work) => (await probe(port, { path: '/health' }, work)).most * 1000,
    freePort,
    helloServer: async () =>
      await started('hello', async () => {
        const port = await freePort()
        servers.use(startProgram(process.execPath, ['-e', HELLO, String(port)]))
        await listening(port)
        return port
      }),
    nginx: async () =>
      await started('nginx', async () => {
        const port = await freePort()
        mkdirSync(folder.at('nginx'))
        writeFileSync(folder.at('nginx/nginx.conf'), nginxConfig(port, folder.at('nginx'), data.root))
        servers.use(startProgram('nginx', ['-p', folder.at('nginx'), '-e', 'error.log', '-c', 'nginx.conf']))
        await listening(port)
        return port
      }),
    limitServer: async (waits) =>
      await started(`limits ${waits}`, async () => {
        const file = join(data.root, data.gibibyte())
        const server = servers.use(startProgram(limits, [file, folder.at('received'), ...(waits ? [] : ['none'])]))
        return Number(await firstLine(server))
      }),
    loop: async (kind) => await looped(loop, kind),
    nodeLoop: async () => await looped(process.execPath, LOOP),
    [Symbol.asyncDispose]: async () => await all[Symbol.asyncDispose](),
  }
}

async function compiled(name: string, folder: string): Promise<string> {
  const program = join(folder, name)
  await output('cc', ['-O2', '-o', program, join(import.meta.dirname, `${name}.c`)])
  return program
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' ? (address?.port ?? 0) : 0
}

function nginxConfig(port: number, folder: string, root: string): string {
  const user = process.getuid?.() === 0 ? 'user root;' : ''
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  return `${user} daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; ${temporary.join(' ')}
server { listen 127.0.0.1:${port}; root ${root}; } }
`
}
