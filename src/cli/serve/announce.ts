import type { ServeContext } from '../../context/open-context.ts'
import type { Context } from '../../context.ts'
import { isAdministrator } from '../../domain/accounts/user.ts'
import { baseOf, publicBase } from '../../domain/server/server-options.ts'
import type { Invocation } from '../program/command.ts'
import type { Output } from '../terminal/output.ts'
import { openBrowser } from '../terminal/open-browser.ts'
import { linksBelow } from '../share-links.ts'
import { servicePid } from '../../platform/processes/member.ts'
import { warningWithoutSignIn } from '../../services/accounts/auth/sign-in-problem.ts'

type Urls = readonly [string, ...string[]]

/**
 * Prints one line on stdout when the daemon is ready, and at the first start how to sign in.
 *
 * @param shared hash of the share for `--share`
 */
export async function announce(
  invocation: Invocation,
  serveContext: ServeContext,
  urls: Urls,
  shared: string | undefined,
): Promise<void> {
  const { output, values } = invocation
  const { context, newAccount } = serveContext
  // Other people need an address that works on other machines.
  const forOthers = linkBase(phoneUrl(urls), context)
  const share = shared === undefined ? undefined : linksBelow(forOthers)(shared)
  if (output.json) {
    warnWithoutSignIn(output, context)
    warnOfMaintenance(output, context)
    const event = await readyEvent(serveContext, urls[0])
    output.line(JSON.stringify({ ...event, ...(share !== undefined && { share }) }))
    return
  }
  output.line(`filemgr ${context.version} serves ${context.options.root} at ${urls[0]}`)
  if (share !== undefined) output.line(`public link: ${share}`)
  const others = [...urls.slice(1), publicBase(context.options)].filter((url) => url !== undefined)
  for (const url of others) output.notice(`also at ${url}`)
  warnWithoutSignIn(output, context)
  warnOfMaintenance(output, context)
  const link =
    newAccount && !context.options.noAuth
      ? await signInLink(context, newAccount.id, linkBase(urls[0], context))
      : undefined
  if (newAccount !== undefined && link !== undefined) {
    const secret =
      newAccount.password === undefined ? 'your password' : `the password ${newAccount.password} (shown only now)`
    const where = link.startsWith('/') ? 'at the address of the proxy in front, ' : ''
    output.warning(
      `sign in as ${newAccount.username} with ${secret}, or open, ${where}once and within 15 minutes: ${link}`,
    )
  }
  if (values['qr'] === true) output.notice(await qrCode(forOthers))
  if (values['open'] === true) await openBrowser(link ?? urls[0], output)
}

function warnWithoutSignIn(output: Output, context: Context): void {
  const warning = warningWithoutSignIn(context)
  if (warning !== undefined) output.warning(warning)
}

function warnOfMaintenance(output: Output, { store }: Context): void {
  const { maintenance } = store.snapshot()
  if (maintenance === undefined) return
  output.warning(`maintenance mode is on: only administrators are let in; end it with "filemgr maintenance off"`)
}

/** For scripts, with a token instead of a sign-in link, which needs a browser. */
async function readyEvent({ context, newAccount }: ServeContext, url: string): Promise<object> {
  const event = { event: 'listening', url, pid: servicePid() }
  if (newAccount === undefined || context.options.noAuth) return { ...event, ...firstAdministrator(context) }
  const { id, username, password } = newAccount
  const { auth } = context.services
  const token = await auth.redeemCode(await auth.issueCode(id), { address: '', userAgent: 'filemgr serve' })
  return { ...event, username, ...(password !== undefined && { password }), token }
}

function firstAdministrator({ store }: Context): { username?: string } {
  const found = store.snapshot().users.find(isAdministrator)
  return found === undefined ? {} : { username: found.username }
}

/** The code is in the fragment, which browsers do not send, so it reaches no log of a proxy. */
async function signInLink(
  { services }: Context,
  id: Parameters<Context['services']['auth']['issueCode']>[0],
  url: string,
): Promise<string> {
  return `${url}login#code=${await services.auth.issueCode(id)}`
}

/** The start of links: the public address, else the daemon's own. For a Unix socket only the path: its proxy knows the rest. */
function linkBase(url: string, { options }: Context): string {
  const known = publicBase(options)
  if (known !== undefined) return known
  return url.startsWith('unix:') ? `${baseOf(options)}/` : url
}

/** A phone cannot reach the loopback address of this machine. */
function phoneUrl(urls: Urls): string {
  return urls.find((url) => !/\/\/(127\.|\[::1\]|localhost)/.test(url)) ?? urls[0]
}

async function qrCode(text: string): Promise<string> {
  const { renderUnicodeCompact } = await import('uqr')
  return renderUnicodeCompact(text)
}
