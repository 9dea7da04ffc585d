import { command, type Invocation } from '../command.ts'
import { readLineOf } from '../password.ts'
import { askNewPassword, isInteractive } from '../prompt.ts'

export const hash = command({
  name: 'hash [password]',
  summary: 'Print the hash of a password, for --password-hash; without one it asks, or reads a line',
  examples: [
    ['hash', 'asks for the password'],
    ['hash < secret', 'for scripts'],
  ],
  async run(invocation) {
    const { createPasswordHasher } = await import('../../platform/password-hasher.ts')
    const text = await createPasswordHasher().hash(await passwordOf(invocation))
    await invocation.output.answer({ json: { hash: text }, text })
  },
})

async function passwordOf({ words, terminal }: Invocation): Promise<string> {
  const [password] = words
  if (typeof password === 'string') return password
  return isInteractive(terminal) ? await askNewPassword('the hash', terminal) : await readLineOf(terminal.stdin)
}
