import type { MessageId } from '../i18n/use-text.tsx'

/** Why somebody who came from a provider was not let in, or not linked. */
const SENTENCES: Readonly<Record<string, MessageId>> = {
  expired: 'ways.problemExpired',
  identityTaken: 'ways.problemTaken',
  maintenance: 'ways.problemMaintenance',
  MAINTENANCE: 'ways.problemMaintenance',
  nameTaken: 'ways.problemName',
  noAccount: 'ways.problemNoAccount',
  noName: 'ways.problemSetUp',
  providerAway: 'ways.problemAway',
  providerClient: 'ways.problemSetUp',
  providerClock: 'ways.problemClock',
  providerInvalid: 'ways.problemInvalid',
  providerOff: 'ways.problemOff',
  providerPrivate: 'ways.problemSetUp',
  providerRefused: 'ways.problemRefused',
  RATE_LIMITED: 'ways.problemTooMany',
  secretMissing: 'ways.problemSetUp',
  disabled: 'login.disabled',
}

/** @param problem a word of the server @returns a sentence with {name} of the provider */
export function waysProblem(problem: string): MessageId {
  return (Object.hasOwn(SENTENCES, problem) ? SENTENCES[problem] : undefined) ?? 'ways.problemOther'
}
