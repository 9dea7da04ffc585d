import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CDPSession, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { dropFiles } from '../drag.ts'
import { gridOf } from './files-page.ts'

/** Controls the network connection between page and server. */
export interface Network {
  /** Limits the upload speed from now on. */
  limit(bytesPerSecond: number): Promise<void>
  cut(): Promise<void>
  restore(): Promise<void>
}

const FREE = -1

export async function networkOf(page: Page): Promise<Network> {
  const session: CDPSession = await page.context().newCDPSession(page)
  let uploadThroughput = FREE
  const apply = async (offline: boolean): Promise<void> => {
    await session.send('Network.emulateNetworkConditions', {
      offline,
      latency: 0,
      downloadThroughput: FREE,
      uploadThroughput,
    })
  }
  return {
    limit: async (bytesPerSecond) => {
      uploadThroughput = bytesPerSecond
      await apply(false)
    },
    cut: async () => await apply(true),
    restore: async () => {
      uploadThroughput = FREE
      await apply(false)
    },
  }
}

export function panelOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Uploads' })
}

/** Waits for the heading of the panel. */
export async function waitForUploadHeading(page: Page, name: RegExp | string): Promise<void> {
  await panelOf(page).getByRole('heading', { name }).waitFor()
}

/** Chooses files with the upload button. */
export async function pickFiles(page: Page, paths: readonly string[]): Promise<void> {
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Upload files' }).click()
  await (await chooser).setFiles([...paths])
}

/** Drops a large file and waits until the daemon has received a part of it. */
export async function dropHalfWay(page: Page, path: string, folder: string): Promise<void> {
  await dropFiles(gridOf(page), [path])
  await waitForPartialFile(folder)
}

/** Waits until the temporary file of an upload is in the folder. */
export async function waitForPartialFile(folder: string): Promise<void> {
  const isThere = async () => {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.fm-tmp'))
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size))
    return sizes.some((size) => size > 0)
  }
  await expect.poll(isThere).toBe(true)
}

export interface SeenRequest {
  readonly method: string
  readonly path: string
  /** Value of the Upload-Offset header. */
  readonly offset: number | undefined
  readonly token: string | undefined
}

/** Records all upload requests from now on. */
export function watchUploads(page: Page): readonly SeenRequest[] {
  const seen: SeenRequest[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    const isUpload = pathname.startsWith('/api/tus/') || request.method() === 'POST'
    if (!isUpload || !/^\/api\/(tus|resources|upload)\//.test(pathname)) return
    const { 'upload-offset': offset, 'x-auth': token } = request.headers()
    seen.push({
      method: request.method(),
      path: decodeURIComponent(pathname.replace(/^\/api\/\w+/, '')),
      offset: offset === undefined ? undefined : Number(offset),
      token,
    })
  })
  return seen
}
