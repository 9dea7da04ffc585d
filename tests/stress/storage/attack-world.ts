import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  mkdtempSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const INSIDE = 'inside'
/** Longer than INSIDE, so that a size reveals it as well. */
export const SECRET = 'the secret'
export const SECRET_NAME = 'secret-name'

const FILES = ['file', 'sub/file', 'sub/deep/file']
const IMAGE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

/**
 * `root/swap` is a folder and `root/other` a link to one outside; the attacker exchanges them all the time. Both hold the same
 * names, so the only question is which of the two an operation meets.
 */
export class AttackWorld implements Disposable {
  readonly base: string
  readonly root: string
  readonly #outside: string

  /** @param around the folder in which this world is created */
  constructor(around = tmpdir()) {
    this.base = realpathSync(mkdtempSync(join(around, 'filemgr-attack-')))
    this.root = join(this.base, 'root')
    this.#outside = join(this.base, 'outside')
    plant(join(this.root, 'swap'), INSIDE)
    plant(this.#outside, SECRET)
    writeFileSync(join(this.#outside, SECRET_NAME), SECRET)
    symlinkSync(this.#outside, join(this.root, 'other'))
    symlinkSync('swap', join(this.root, 'link'))
    symlinkSync('swap/file', join(this.root, 'link-to-file'))
    symlinkSync('swap/made', join(this.root, 'link-to-nothing'))
    mkdirSync(join(this.root, 'unknown'))
    writeFileSync(join(this.root, 'unknown/swap'), INSIDE)
    writeFileSync(join(this.#outside, 'picture'), IMAGE)
    symlinkSync(join(this.#outside, 'picture'), join(this.root, 'unknown/other'))
  }

  get outsideIsWhole(): boolean {
    const names = readdirSync(this.#outside, { recursive: true })
    return (
      names.length === FILES.length + 4 &&
      FILES.every((file) => readFileSync(join(this.#outside, file), 'utf8') === SECRET) &&
      readFileSync(join(this.#outside, 'picture')).equals(IMAGE)
    )
  }

  [Symbol.dispose](): void {
    rmSync(this.base, { recursive: true, force: true })
  }
}

function plant(folder: string, text: string): void {
  mkdirSync(join(folder, 'sub/deep'), { recursive: true })
  for (const file of FILES) writeFileSync(join(folder, file), text)
}
