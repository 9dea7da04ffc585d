import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import { baseOf } from '../../domain/server/server-options.ts'
import { sendManifest } from './manifest.ts'
import { MANIFEST } from './fill-page.ts'
import { mediaTypeOf } from '../../domain/files/media/media-type.ts'
import type { Branding } from '../../services/settings/branding.ts'
import { acceptsOneOf } from '../send/compressed.ts'
import { sendFile } from '../send/file.ts'
import { packageFile } from '../../platform/version.ts'
import { isErrno } from '../../platform/files/error-code.ts'

export interface BuiltPage {
  readonly folder: string
  /** index.html before it is filled; undefined if the page has not been built. */
  readonly template: string | undefined
  /** The files below static/, by name. Read once, at the first request. */
  files(): Promise<StaticFiles>
}

/** The encodings in which each file is stored. Text is stored only compressed, always with gzip. */
type StaticFiles = ReadonlyMap<string, readonly Encoding[]>

type Encoding = 'identity' | 'gzip' | 'br'

export interface StaticUiOptions {
  readonly page: BuiltPage
  readonly context: Context
}

/** The service worker of the page, as the build names it. */
const WORKER = 'sw.js'
const COMPRESSED = /\.(br|gz)$/
/** Names with a content hash; such files never change. */
const HASHED = /-[\w-]{8}\.\w+$/

/** The output folder of `npm run build`. */
export const BUILT_PAGE = packageFile('dist/ui')

/** Reads the build once at start-up: a later build is served after a restart. */
export async function readBuiltPage(folder: string): Promise<BuiltPage> {
  const template = await readIfThere(join(folder, 'index.html'))
  let files: Promise<StaticFiles> | undefined
  return {
    folder,
    template,
    files: async () =>
      await (files ??= template === undefined ? Promise.resolve(new Map()) : filesBelow(join(folder, 'static'))),
  }
}

/**
 * Serves the files of the page and of the branding, which override them. Opens only names found in the build and valid branding
 * names, so that no address reaches another file (path traversal, CVE-2023-37474).
 */
export async function staticUi(app: FastifyInstance, { page, context }: StaticUiOptions): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(page.folder, 'static'),
    serve: false,
    preCompressed: true,
    suppressWarning: true,
    cacheControl: false,
  })

  const answer = async (request: FastifyRequest<{ Params: { '*': string } }>, reply: FastifyReply) => {
    const name = request.params['*']
    if (name === MANIFEST) return await sendManifest(reply, context)
    if (await sendBranding(context.services.branding, name, request, reply)) return await reply
    const stored = (await page.files()).get(name)
    if (stored === undefined) {
      const text = name.endsWith('.js') ? '404 Not Found\n' : '404 page not found\n'
      return await reply.code(404).type('text/plain; charset=utf-8').send(text)
    }
    const headers = name === WORKER ? workerHeaders(context) : { 'cache-control': cacheControlOf(name) }
    void reply.headers(headers)
    if (stored.includes('identity') || acceptsOneOf(stored, request.headers['accept-encoding'])) {
      return await reply.sendFile(name)
    }
    return await sendUnpacked(reply, name, join(page.folder, 'static', `${name}.gz`))
  }
  app.route({ method: ['GET', 'HEAD'], url: '/static/*', config: { page: true }, handler: answer })
}

/** For clients without decompression, such as curl. */
async function sendUnpacked(reply: FastifyReply, name: string, path: string): Promise<FastifyReply> {
  void reply.type(contentTypeOf(name)).header('vary', 'accept-encoding')
  if (reply.request.method === 'HEAD') return await reply.send()
  const unpacked = pipeline(createReadStream(path), createGunzip(), () => undefined)
  return await reply.send(unpacked)
}

function contentTypeOf(name: string): string {
  const type = mediaTypeOf(name) ?? 'application/octet-stream'
  return type.startsWith('text/') ? `${type.split(';')[0] ?? type}; charset=utf-8` : type
}

function cacheControlOf(name: string): string {
  return HASHED.test(name) ? 'public, max-age=31536000, immutable' : 'public, max-age=86400'
}

/** The worker may control the whole site and connect only to this server. Browsers check for a new one at each visit. */
function workerHeaders({ options }: Context): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-cache',
    'service-worker-allowed': `${baseOf(options)}/`,
    'content-security-policy': "default-src 'none'; connect-src 'self'",
  }
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

async function filesBelow(folder: string): Promise<StaticFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const files = new Map<string, Encoding[]>()
  for (const path of paths) {
    const name = path
      .slice(folder.length + 1)
      .replaceAll(sep, '/')
      .replace(COMPRESSED, '')
    files.set(name, [...(files.get(name) ?? []), encodingOf(path)])
  }
  return files
}

function encodingOf(path: string): Encoding {
  if (path.endsWith('.br')) return 'br'
  return path.endsWith('.gz') ? 'gzip' : 'identity'
}

/** Blocks scripts in an uploaded SVG that is opened directly. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'"

/** Sends a branding file if there is one. Browsers revalidate it each time, so that a new logo shows immediately. */
async function sendBranding(
  branding: Branding,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  await using found = await branding.open(name)
  if (found === undefined) return false
  void reply.header('content-security-policy', POLICY)
  await sendFile(request, reply, found.file, contentTypeOf(name))
  return true
}
