import { isIP } from 'node:net'
import type { FastifyInstance } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { Context } from '../../context.ts'

const ADVICE = 'open it by its IP address or as localhost, or start filemgr with --no-auth-remote'

/**
 * A request that names two hosts is refused everywhere: a proxy may judge by one of them and this server by the other. Where
 * nobody signs in and only this machine may ask, a page of another site could have its own name lead here (DNS
 * rebinding): the browser takes filemgr for a part of that site then.
 */
export const knownHosts = fastifyPlugin(async (app: FastifyInstance, { context }: { context: Context }) => {
  const { options, services } = context
  const isKnown = (name: string) => /^(.+\.)?localhost\.?$/.test(name) || isIP(name) !== 0 || name === options.address

  app.addHook('onRequest', async ({ raw }, reply) => {
    if (raw.rawHeaders.filter(isHostName).length > 1) {
      return await reply.code(400).type('text/plain; charset=utf-8').send('400 Bad Request (two Host headers)\n')
    }
    const { host } = raw.headers
    if (host === undefined || options.noAuthRemote || options.socket !== '') return
    if (services.auth.method() !== 'noauth' || isKnown(nameOf(host))) return
    await reply.code(421).type('text/plain; charset=utf-8').send(`421 Misdirected Request (${ADVICE})\n`)
  })
})

/** Without the port, and an IPv6 address without its brackets. */
function nameOf(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
}

/** Names and values of headers stand in turn. */
function isHostName(text: string, index: number): boolean {
  return index % 2 === 0 && text.toLowerCase() === 'host'
}
