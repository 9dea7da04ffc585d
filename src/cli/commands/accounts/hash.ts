import { Option } from 'commander'
import { command, type Invocation } from '../../program/command.ts'
import { askNewPassword, isInteractive, readLineOf } from '../../program/prompts.ts'

export const hash = command({
  name: 'hash [password]',
  summary: 'Print the hash of a password for --password-hash; asks for it or reads a line',
  options: [new Option('--bcrypt', 'bcrypt, as File Browser uses, instead of argon2id')],
  examples: [
    ['hash', 'asks for the password'],
    ['hash < secret', 'for scripts'],
    ['hash --bcrypt < secret', 'for programs that do not support argon2id'],
  ],
  async run(invocation) {
    const password = await passwordOf(invocation)
    const text = invocation.values['bcrypt'] === true ? await byBcrypt(password) : await byArgon2id(password)
    await invocation.output.answer({ json: { hash: text }, text })
  },
})

async function byArgon2id(password: string): Promise<string> {
  const { createPasswordHasher } = await import('../../../platform/security/password-hasher.ts')
  return await createPasswordHasher().hash(password)
}

async function byBcrypt(password: string): Promise<string> {
  const { hashByBcrypt } = await import('../../../platform/security/password-hasher.ts')
  return await hashByBcrypt(password)
}

async function passwordOf(invocation: Invocation): Promise<string> {
  const { words, terminal } = invocation
  const [password] = words
  if (typeof password === 'string') return password
  return isInteractive(terminal) ? await askNewPassword('the hash', invocation) : await readLineOf(terminal.stdin)
}
