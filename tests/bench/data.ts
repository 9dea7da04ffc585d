import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'

const WORDS = ['report', 'invoice', 'holiday', 'scan', 'draft', 'photo', 'notes', 'budget', 'plan', 'music', 'final']
const EXTENSIONS = ['txt', 'pdf', 'jpg', 'docx', 'mp4', 'md', 'csv', 'png', 'json', 'log']

export const GIBIBYTE = 2 ** 30
export const PICTURES = 40
/** Files in a tree of `newTree`. */
export const MANY = 10_000
/** Part of the names of twenty files in the tree. */
export const NEEDLE = 'zebrafish_needle'

/** The served files. Each part is created at first use; functions return its path below the root. */
export interface Data {
  readonly root: string
  /** Small files in one folder. */
  folderOf(files: number): string
  /** Empty files in folders of a hundred, and twenty with the needle in their names. */
  treeOf(files: number): string
  /** A thousand files of 100 kB, half text and half random. */
  archived(): string
  /** Random bytes. */
  gibibyte(): string
  kilobyte(): string
  /** Photos as from a phone, 12 megapixels each. */
  pictures(): Promise<string[]>
  /** A folder of pictures as small as those of a messenger. */
  smallPictures(count: number): Promise<string>
  /** An empty folder, another at each call. */
  newFolder(): string
  /** The same with `MANY` files of 1 kB, evenly in folders with names from 0 on. All are on disk. */
  newTree(folders: number): string
}

export function createData(root: string): Data {
  spreadFolders(root)
  const made = new Set<string>()
  const newFolder = () => basename(mkdtempSync(join(root, 'new-')))
  const once = (name: string, make: (path: string) => void): string => {
    if (!made.has(name)) make(join(root, name))
    made.add(name)
    return name
  }
  return {
    root,
    folderOf: (files) => once(`list-${files}`, (path) => fillFolder(path, files)),
    treeOf: (files) => once(`tree-${files}`, (path) => fillTree(path, files)),
    archived: () => once('archived', fillArchived),
    gibibyte: () => once('gibibyte.bin', writeNoise),
    kilobyte: () => once('kilobyte.txt', (path) => writeFileSync(path, '0123456789abcde\n'.repeat(64))),
    async pictures() {
      const names = Array.from({ length: PICTURES }, (_, index) => `pictures/p${index}.jpg`)
      if (!made.has('pictures')) await drawPictures(names.map((name) => join(root, name)))
      made.add('pictures')
      return names
    },
    async smallPictures(count) {
      const name = `small-pictures-${count}`
      if (!made.has(name)) await drawSmallPictures(join(root, name), count)
      made.add(name)
      return name
    },
    newFolder,
    newTree(folders) {
      const name = newFolder()
      fillEvenly(join(root, name), folders)
      return name
    },
  }
}

/**
 * For minutes, ext4 steps one by one over all inodes that were deleted near a new file, which then takes up to twenty times as
 * long. So nothing is deleted before the end of a run, what creates or deletes many files gets a new folder each time, and with
 * this attribute the names of the folders in this one decide where they are, far apart. Other file systems refuse it.
 */
export function spreadFolders(path: string): void {
  spawnSync('chattr', ['+T', path])
}

const nameOf = (index: number) =>
  `${WORDS[index % 11] ?? ''} ${WORDS[(index * 7) % 11] ?? ''}-${String(index).padStart(6, '0')}.${EXTENSIONS[index % 10] ?? ''}`

function fillFolder(path: string, files: number): void {
  mkdirSync(path)
  for (let index = 0; index < files; index += 1) writeFileSync(join(path, nameOf(index)), 'x'.repeat(index % 97))
}

function fillTree(path: string, files: number): void {
  for (let index = 0; index < files; index += 100) {
    const folder = join(path, `${index % 2000}`, `d${index}`)
    mkdirSync(folder, { recursive: true })
    for (let of = index; of < index + 100; of += 1) closeSync(openSync(join(folder, nameOf(of)), 'w'))
    if (index < 2000) closeSync(openSync(join(folder, `${NEEDLE}_${index}.txt`), 'w'))
  }
}

function fillEvenly(path: string, folders: number): void {
  for (let index = 0; index < folders; index += 1) {
    const folder = join(path, String(index))
    mkdirSync(folder)
    for (let of = index; of < MANY; of += folders) writeFileSync(join(folder, `${of}.txt`), Buffer.alloc(1024, 121))
  }
  spawnSync('sync', ['-f', path])
}

function fillArchived(path: string): void {
  mkdirSync(path)
  for (let index = 0; index < 1000; index += 1) {
    const words = randomBytes(9000).reduce((text, byte) => `${text}${WORDS[byte % 11] ?? ''} `, '')
    writeFileSync(
      join(path, `f${index}.dat`),
      Buffer.concat([Buffer.from(words.slice(0, 50_000)), randomBytes(50_000)]),
    )
  }
}

function writeNoise(path: string): void {
  const file = openSync(path, 'w')
  for (let written = 0; written < GIBIBYTE; written += 2 ** 20) writeSync(file, randomBytes(2 ** 20))
  closeSync(file)
}

/** Eight different pictures; the others are copies (not links). */
async function drawPictures(paths: readonly string[]): Promise<void> {
  const [width, height] = [4000, 3000]
  mkdirSync(join(paths[0] ?? '', '..'))
  for (const [index, path] of paths.entries()) {
    if (index >= 8) copyFileSync(paths[index % 8] ?? '', path)
    else {
      const clouds = { raw: { width: 80, height: 60, channels: 3 } } as const
      const pixels = await sharp(randomBytes(80 * 60 * 3), clouds)
        .resize(width, height, { kernel: 'cubic' })
        .raw()
        .toBuffer()
      const grain = randomBytes(2 ** 20)
      for (let at = 0; at < pixels.length; at += 1)
        pixels[at] = Math.max(0, Math.min(255, (pixels[at] ?? 0) + ((grain[at & (2 ** 20 - 1)] ?? 0) % 25) - 12))
      await sharp(pixels, { raw: { width, height, channels: 3 } })
        .jpeg({ quality: 88 })
        .toFile(path)
    }
  }
}

/** Twenty different pictures, under many names. */
async function drawSmallPictures(folder: string, count: number): Promise<void> {
  mkdirSync(folder)
  const path = (index: number) => join(folder, `picture-${String(index).padStart(5, '0')}.jpg`)
  for (let index = 0; index < count; index += 1) {
    if (index >= 20) linkSync(path(index % 20), path(index))
    else {
      const clouds = sharp(randomBytes(32 * 24 * 3), { raw: { width: 32, height: 24, channels: 3 } })
      await clouds.resize(1280, 960, { kernel: 'cubic' }).jpeg({ quality: 80 }).toFile(path(index))
    }
  }
}
