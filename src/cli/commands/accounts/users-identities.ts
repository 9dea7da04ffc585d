import { Option } from 'commander'
import { linkIdentity, listIdentities, unlinkIdentity } from '../../../api/accounts/identities.ts'
import { getUserAsOperator } from '../../../api/accounts/operator.ts'
import type { WaysToSignIn } from '../../../domain/accounts/provider-view.ts'
import { fail } from '../../../domain/errors.ts'
import { type Door, openDoor } from '../../door/door.ts'
import { command, type Invocation, wordOf } from '../../program/command.ts'
import { confirmOrFail } from '../../program/prompts.ts'
import { drawTable } from '../../terminal/table.ts'

const HEADINGS = ['PROVIDER', 'SUBJECT', 'LABEL', 'LINKED', 'LAST USED']

export const showIdentities = command({
  name: 'identities <user>',
  summary: 'List the people at providers to whom an account is linked',
  operations: ['identities.list'],
  examples: [['users identities bob', 'where else bob can sign in']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    await answer(invocation, await door.call(listIdentities, { params: await paramsOf(door, invocation) }))
  },
})

export const linkUser = command({
  name: 'link <user> <provider> <subject>',
  summary: 'Link an account to a person at a provider, by what never changes there',
  operations: ['identities.link'],
  options: [new Option('--label <text>', 'the name there, for people')],
  examples: [['users link bob example-sso 6c1f2f0e-8a55-4f5c', 'the subject is the claim "sub"']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const { label } = invocation.values
    const [provider, subject] = [wordOf(invocation, 1), wordOf(invocation, 2)]
    const body = { provider, subject, ...(typeof label === 'string' && { label }) }
    await answer(invocation, await door.call(linkIdentity, { params: await paramsOf(door, invocation), body }))
  },
})

export const unlinkUser = command({
  name: 'unlink <user> <provider>',
  summary: 'Unlink an account from a provider; the sessions that began there end',
  operations: ['identities.unlink'],
  options: [new Option('-y, --yes', 'do not ask')],
  examples: [['users unlink bob example-sso --yes', 'without asking']],
  async run(invocation) {
    await using door = await openDoor(invocation)
    const params = await paramsOf(door, invocation)
    const provider = wordOf(invocation, 1)
    const { identities } = await door.call(listIdentities, { params })
    const found = identities.find((identity) => identity.provider === provider || identity.issuer === provider)
    if (found === undefined) return fail('NOT_FOUND', `${wordOf(invocation)} is not linked to ${provider}`)
    const { issuer, subject, name } = found
    await confirmOrFail(invocation, `Unlink ${wordOf(invocation)} from ${name}?`)
    await answer(invocation, await door.call(unlinkIdentity, { params, body: { issuer, subject } }))
  },
})

async function paramsOf(door: Door, invocation: Invocation): Promise<{ id: string }> {
  const { id } = await door.call(getUserAsOperator, { params: { id: wordOf(invocation) } })
  return { id: String(id) }
}

async function answer({ output }: Invocation, { identities }: WaysToSignIn): Promise<void> {
  const rows = identities.map(({ provider, issuer, subject, label, linked, lastUsed = '-' }) => {
    return [provider ?? issuer, subject, label, linked, lastUsed]
  })
  await output.answer({
    json: identities,
    ids: identities.map(({ subject }) => subject),
    text: () => drawTable(HEADINGS, rows, output, ['LAST USED', 'LINKED', 'LABEL']),
  })
}
