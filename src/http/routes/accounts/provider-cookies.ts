import type { FastifyReply, FastifyRequest } from 'fastify'
import { TIME_TO_RETURN } from '../../../services/accounts/providers/oidc/started-sign-ins.ts'
import { tagOf } from '../../../services/accounts/providers/oidc/oidc-sign-in.ts'

/**
 * What binds a sign-in to the browser that began it. "Lax", because the browser comes back from another site; nothing but
 * finishing this sign-in is possible with it. Each sign-in has its own, so that two tabs do not disturb each other.
 */
export function keepSecret(request: FastifyRequest, reply: FastifyReply, base: string, given: Given): void {
  const maxAge = TIME_TO_RETURN / 1000
  void reply.setCookie(nameOf(given.tag), given.secret, { ...attributes(request, base), maxAge })
}

interface Given {
  readonly tag: string
  readonly secret: string
}

/** @param word the state or the code that the browser has brought; "" without a cookie */
export function secretIn({ cookies }: FastifyRequest, word: string): string {
  return cookies[nameOf(tagOf(word))] ?? ''
}

export function forgetSecret(request: FastifyRequest, reply: FastifyReply, base: string, word: string): void {
  void reply.clearCookie(nameOf(tagOf(word)), attributes(request, base))
}

function nameOf(tag: string): string {
  return `sign-in-${tag.replaceAll(/[^\w-]/g, '')}`
}

function attributes(request: FastifyRequest, base: string) {
  return {
    httpOnly: true,
    sameSite: 'lax',
    path: `${base}/api/sign-in/`,
    secure: request.protocol === 'https',
  } as const
}
