import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parse } from 'yaml'
import { parseBucketUrl } from '../../../src/domain/server/addresses.ts'
import { requireStoreUrl } from '../../../src/domain/server/store-url.ts'
import { optionsFromEnvironment, unknownVariables } from '../../../src/options/environment.ts'

const DEPLOY = join(import.meta.dirname, '../../../docs/deploy')
const deploy = async (name: string) => await readFile(join(DEPLOY, name), 'utf8')

interface Service {
  readonly image: string
  readonly command?: readonly string[]
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes: readonly string[]
  readonly networks?: { readonly default: { readonly ipv4_address: string } }
}

const { services, volumes } = parse(await deploy('cluster/compose.yaml'), { merge: true }) as {
  services: Readonly<Record<string, Service>>
  volumes: object
}
const isDaemon = ([name]: readonly [string, Service]) => name.startsWith('filemgr-')
const daemons = Object.entries(services).filter(isDaemon)

it.each(['haproxy.cfg', 'Caddyfile', 'nginx.conf'])('%s passes requests to each of the daemons', async (name) => {
  const port = /FILEMGR_PORT=(\d+)/.exec(await deploy('Dockerfile'))?.[1]
  const named = (await deploy(`cluster/${name}`)).matchAll(/filemgr-\d:\d+/g).map(([address]) => address)
  expect(daemons.length).toBe(3)
  expect([...named]).toEqual(daemons.map(([service]) => `${service}:${port}`))
})

it('the daemons of the compose file have known options, share a store and a bucket, and trust only the balancer', () => {
  for (const [, { environment = {}, command }] of daemons) {
    expect(unknownVariables(environment)).toEqual([])
    const options = optionsFromEnvironment(environment)
    expect(options.trustedProxies).toEqual([services['balancer']?.networks?.default.ipv4_address])
    requireStoreUrl(options.store ?? '')
    expect(new URL(options.store ?? '').hostname in services).toBe(true)
    expect(new URL(environment['AWS_ENDPOINT_URL'] ?? '').hostname in services).toBe(true)
    const [word, root = ''] = command ?? []
    expect([word, parseBucketUrl(root).bucket]).toEqual(['serve', 'files'])
  }
})

it('the compose file of the cluster builds the same image as that of one daemon, with a data folder per daemon', async () => {
  const alone = parse(await deploy('compose.yaml')) as { services: { filemgr: Service } }
  for (const [, { image, build }] of daemons) {
    expect([image, build?.dockerfile]).toEqual([alone.services.filemgr.image, alone.services.filemgr.build?.dockerfile])
    expect(join(DEPLOY, 'cluster', build?.context ?? '')).toBe(
      join(DEPLOY, alone.services.filemgr.build?.context ?? ''),
    )
  }
  const named = Object.values(services).flatMap((service) =>
    service.volumes.map((volume) => volume.split(':')[0] ?? ''),
  )
  expect(named.filter((name) => !name.startsWith('.')).toSorted()).toEqual(Object.keys(volumes).toSorted())
})
