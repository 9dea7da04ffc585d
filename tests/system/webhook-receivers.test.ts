import { spawnSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../src/platform/security/random.ts'
import { newSecret, signedHeaders } from '../../src/services/automation/webhooks/webhook-request.ts'
import { needsPrograms } from '../helpers/needs.ts'
import { tempFolder } from '../helpers/temp-folder.ts'

needsPrograms('python3')

describe('a receiver as documented', () => {
  const PAGE = join(import.meta.dirname, '../../docs/guide/webhooks.md')
  it.each([
    ['python', 'python3', 'print(is_genuine(given["secret"], given["headers"], given["body"].encode()))'],
    ['js', 'node', "console.log(isGenuine(given.secret, given.headers, Buffer.from(given.body)) ? 'True' : 'False')"],
  ])('in %s trusts what filemgr signed, and nothing else', async (language, program, call) => {
    await using folder = await tempFolder()
    const example = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(await readFile(PAGE, 'utf8'))?.[1] ?? ''
    const reading =
      language === 'js'
        ? 'const given = JSON.parse(process.argv[2])'
        : 'import json, sys\ngiven = json.loads(sys.argv[1])'
    const file = folder.at(language === 'js' ? 'receiver.mjs' : 'receiver.py')
    await writeFile(file, `${example}\n${reading}\n${call}\n`)
    const secret = newSecret(systemRandom)
    const judge = (body: string, now: number) => {
      const headers = signedHeaders({ id: 'msg_1', body: '{"ü":1}' }, { secret }, now)
      const { stdout, stderr } = spawnSync(program, [file, JSON.stringify({ secret, headers, body })], {
        encoding: 'utf8',
      })
      return stdout.trim() || stderr
    }
    expect(judge('{"ü":1}', Date.now())).toBe('True')
    expect(judge('{"ü":2}', Date.now())).toBe('False')
    expect(judge('{"ü":1}', Date.now() - 600_000)).toBe('False')
  })
})
