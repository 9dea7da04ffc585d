import { Secret, TOTP } from 'otpauth'
import type { Answer, Client, TestApp } from './test-app.ts'
import { PASSWORD } from './test-app.ts'
import type { SoftPasskey } from './soft-passkey.ts'

const json = (body: object) => ({ payload: JSON.stringify(body), headers: { accept: 'application/json' } })

/** What the sign-in replies that is not completed. */
export interface Step {
  readonly challenge: string
  readonly ways: readonly string[]
}

export interface App {
  readonly secret: string
  readonly recoveryCodes: readonly string[]
  /** The code at this time. */
  code(now: number): string
}

/** Sets up an authenticator app for the client. */
export async function setUpApp(
  client: Client,
  now: () => number,
  proof: object = { current_password: PASSWORD },
): Promise<App> {
  const { secret } = (await client.ask('POST', '/api/factors/totp', json(proof))).json<{ secret: string }>()
  const code = (time: number) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time })
  const checked = await client.ask('POST', '/api/factors/totp/check', json({ code: code(now()) }))
  const { recoveryCodes } = checked.json<{ recoveryCodes: string[] }>()
  const enabled = await client.ask('PUT', '/api/factors/totp')
  if (enabled.statusCode !== 204) throw new Error(`the app was not turned on: ${enabled.body}`)
  return { secret, recoveryCodes, code }
}

/** Adds a passkey for the client. */
export async function addPasskey(
  client: Client,
  passkey: SoftPasskey,
  { proof = { current_password: PASSWORD }, name = 'key', headers = {}, base = '' } = {},
): Promise<readonly string[]> {
  const send = (body: object) => ({ ...json(body), headers: { accept: 'application/json', ...headers } })
  const options = await client.ask('POST', `${base}/api/factors/passkeys/options`, send(proof))
  if (options.statusCode !== 200) throw new Error(`no passkey may be added: ${options.body}`)
  const made = await client.ask(
    'POST',
    `${base}/api/factors/passkeys`,
    send({ name, passkey: passkey.make(options.json()) }),
  )
  if (made.statusCode !== 200) throw new Error(`the passkey was not added: ${made.body}`)
  return made.json<{ recoveryCodes: string[] }>().recoveryCodes
}

/** The first step of signing in. */
export async function firstStep({ ask }: Pick<TestApp, 'ask'>, username: string, password = PASSWORD): Promise<Answer> {
  return await ask('POST', '/api/login', json({ username, password }))
}

/** The first step of an account that has a second factor. */
export async function begunStep(app: Pick<TestApp, 'ask'>, username: string): Promise<Step> {
  const answer = await firstStep(app, username)
  const { error } = answer.json<{ error?: { details: { reason: string } & Step } }>()
  if (answer.statusCode !== 401 || error?.details.reason !== 'secondFactor')
    throw new Error(`no second step: ${answer.statusCode} ${answer.body}`)
  return error.details
}

export async function secondStep({ ask }: Pick<TestApp, 'ask'>, body: object): Promise<Answer> {
  return await ask('POST', '/api/login/factor', json(body))
}

/** Why a reply refuses. */
export function reasonIn(answer: Answer): string | undefined {
  return answer.json<{ error?: { details?: { reason?: string } } }>().error?.details?.reason
}
