import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { programLine } from '../cli/program.ts'
import { bareEnvironment } from '../cli/run-cli.ts'
import { freePort } from '../free-port.ts'
import { type TempFolder, tempFolder } from '../temp-folder.ts'
import { type Balancer, startBalancer } from './balancer.ts'
import { listening } from './listening.ts'

const DEPLOY = join(import.meta.dirname, '../../../docs/deploy')
const TOOLS = join(import.meta.dirname, '../../../node_modules/.cache/cluster')
const POSTGRESQL = globSync('/usr/lib/postgresql/*/bin').toSorted().at(-1) ?? ''
const PATH = [TOOLS, POSTGRESQL, process.env['PATH'] ?? ''].join(delimiter)
/** Where the volumes of the services are, and the addresses that the images listen at. */
const POSTGRES_DATA = '/var/lib/postgresql/data'
const run = promisify(execFile)

interface Service {
  readonly command?: readonly string[]
  readonly entrypoint?: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly networks?: { readonly default: { readonly ipv4_address: string } }
}

/** What the compose file of the cluster starts, as processes of this machine. */
export interface Composed extends AsyncDisposable {
  readonly balancer: Balancer
  /** Runs `filemgr` in a service, as `docker compose exec` does. */
  exec(service: string, ...words: readonly string[]): Promise<string>
  /** As `docker compose stop`. */
  stop(service: string): Promise<void>
  /** What the daemons have printed. */
  output(): string
}

/**
 * Starts each service with the command line and the environment that the compose file gives it, and what its image adds. Only
 * addresses, and the folders of volumes, are those of this machine.
 *
 * @param secrets what `.env` sets
 */
export async function startComposed(secrets: Readonly<Record<string, string>>): Promise<Composed> {
  await using held = new AsyncDisposableStack()
  const folder = held.use(await tempFolder())
  await chmod(folder.path, 0o755)
  const text = await readFile(join(DEPLOY, 'cluster/compose.yaml'), 'utf8')
  const filled = text.replaceAll(/\$\{(\w+):\?\}/g, (_, name: string) => secrets[name] ?? '')
  const { services } = parse(filled, { merge: true }) as { services: Readonly<Record<string, Service>> }
  const serviceOf = (name: string): Service => services[name] ?? never(`no service ${name}`)
  const balancerAddress = serviceOf('balancer').networks?.default.ipv4_address ?? ''

  const [postgres, s3] = [await freePort(), await freePort()]
  const localEnv = (environment: Service['environment']) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value
          .replace('@postgres/', `@127.0.0.1:${postgres}/`)
          .replace('//s3:7070', `//127.0.0.1:${s3}`)
          .replace(':7070', `127.0.0.1:${s3}`)
          .replace(balancerAddress, '127.0.0.1'),
      ]),
    )
  const local = (service: Service) => ({ ...service, environment: localEnv(service.environment) })

  held.use(await startPostgres(local(serviceOf('postgres')), folder, postgres))
  held.use(await startS3(local(serviceOf('s3')), folder, s3))
  const names = Object.keys(services).filter((name) => name.startsWith('filemgr-'))
  const daemons = new Map<string, Daemon>()
  for (const name of names) daemons.set(name, held.use(await startDaemon(name, local(serviceOf(name)), folder)))
  const balancer = held.use(
    await startBalancer(
      [...daemons.values()].map(({ url }) => url),
      'haproxy',
    ),
  )
  const daemonOf = (name: string): Daemon => daemons.get(name) ?? never(`no daemon ${name}`)
  const all = held.move()
  return {
    balancer,
    exec: async (name, ...words) => await daemonOf(name).exec(words),
    stop: async (name) => await daemonOf(name)[Symbol.asyncDispose](),
    output: () => [...daemons.values()].map(({ output }) => output()).join(''),
    [Symbol.asyncDispose]: async () => await all.disposeAsync(),
  }
}

/** Does what the entry script of the image does at the first start, and waits until the health check succeeds. */
async function startPostgres({ environment, volumes, healthcheck }: Service, folder: TempFolder, port: number) {
  const { POSTGRES_USER = '', POSTGRES_PASSWORD = '' } = environment
  if (!volumes.some((volume) => volume.endsWith(`:${POSTGRES_DATA}`))) never('the data is not in a volume')
  await folder.fill({ password: POSTGRES_PASSWORD, 'postgres/': '' })
  const data = folder.at('postgres')
  await run('chown', ['postgres', data, folder.at('password')])
  const as = (...line: readonly string[]) => ['--reuid=postgres', '--regid=postgres', '--clear-groups', '--', ...line]
  const init = ['--pgdata', data, '--username', POSTGRES_USER, '--pwfile', folder.at('password'), '--no-sync']
  await run('setpriv', as(join(POSTGRESQL, 'initdb'), ...init, '--auth', 'scram-sha-256'), { cwd: '/' })
  const settings = ['-D', data, '-p', String(port), '-k', data, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off']
  const server = started('setpriv', as(join(POSTGRESQL, 'postgres'), ...settings), { PATH }, 'SIGINT')
  await healthy(healthcheck, { PATH, PGPORT: String(port) }, server)
  const env = { ...process.env, PATH, PGPASSWORD: POSTGRES_PASSWORD }
  await run('createdb', ['-h', '127.0.0.1', '-p', String(port), '-U', POSTGRES_USER, POSTGRES_USER], { env })
  return server
}

async function startS3(
  { entrypoint = [], environment, volumes, healthcheck }: Service,
  folder: TempFolder,
  port: number,
) {
  const mount = volumes[0]?.split(':')[1] ?? never('no volume')
  await folder.fill({ 's3/': '' })
  const [program = '', ...words] = entrypoint.map((word) => word.replaceAll(mount, folder.at('s3')))
  const server = started(program, words, { PATH, ...environment }, 'SIGTERM')
  const [kind, tool] = healthcheck?.test ?? []
  if (kind !== 'CMD' || tool !== 'nc') never('the image, which has BusyBox, may not have this program')
  await Promise.race([listening(port), server.failed])
  return server
}

interface Daemon extends AsyncDisposable {
  readonly url: string
  output(): string
  exec(words: readonly string[]): Promise<string>
}

async function startDaemon(name: string, { command = [], environment, volumes }: Service, folder: TempFolder) {
  if (volumes[0]?.endsWith(':/database') !== true) never('the data is not in a volume')
  await folder.fill({ [`${name}/`]: '', 'config/': '' })
  const [program, ...first] = programLine()
  await writeFile(folder.at('program'), `#!/bin/sh\nexec ${[program, ...first].join(' ')} "$@"\n`, { mode: 0o755 })
  const port = await freePort()
  const image = { FILEMGR_DATA: folder.at(name), CONFIG_FOLDER: folder.at('config'), FILEMGR_PORT: String(port) }
  const env = { ...bareEnvironment(), HOME: '/tmp', PROGRAM: folder.at('program'), ...image, ...environment }
  const entry = join(DEPLOY, 'container-entry.sh')
  const daemon = started(entry, command, { PATH, ...env, FILEMGR_ADDRESS: '127.0.0.1' }, 'SIGTERM')
  await Promise.race([listening(port), daemon.failed])
  return {
    ...daemon,
    url: `http://127.0.0.1:${port}/`,
    exec: async (words: readonly string[]) => (await run(entry, words, { env: { PATH, ...env } })).stdout,
  }
}

/** Asks as Docker does, until the answer is good. */
async function healthy(check: Service['healthcheck'], env: NodeJS.ProcessEnv, { failed }: Started): Promise<void> {
  const [kind, program = '', ...words] = check?.test ?? []
  if (kind !== 'CMD') never('not a health check of Docker')
  for (;;) {
    const isHealthy = await Promise.race([
      run(program, words, { env }).then(
        () => true,
        () => false,
      ),
      failed,
    ])
    if (isHealthy) return
  }
}

interface Started extends AsyncDisposable {
  /** Rejects when the process ends. */
  readonly failed: Promise<never>
  output(): string
}

function started(program: string, words: readonly string[], env: NodeJS.ProcessEnv, stop: NodeJS.Signals): Started {
  const child = spawn(program, words, { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const ended = once(child, 'close')
  const failed = ended.then(() => never(`${program} ended: ${output}`))
  failed.catch(() => undefined)
  return {
    failed,
    output: () => output,
    async [Symbol.asyncDispose]() {
      child.kill(stop)
      await ended
    },
  }
}

function never(why: string): never {
  throw new Error(why)
}
