import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dropFiles } from '../../helpers/browser/drop-files.ts'
import { gridOf, openFiles } from '../../helpers/browser/pages/files-page.ts'
import { servedText } from '../../helpers/browser/served-files.ts'
import { tempFolder } from '../../helpers/temp-folder.ts'
import { startTestServer } from '../../helpers/browser/test-server.ts'

describe('a part of the page that cannot be fetched', () => {
  it('leaves uploads alone when it is their panel', async () => {
    await using mine = await tempFolder()
    await writeFile(join(mine.path, 'letter.txt'), 'hello')
    await using daemon = await startTestServer({ files: { 'old.txt': '' } })
    await using browser = await openFiles(daemon, { cutsConnections: true })
    const { page } = browser
    await page.route(/\/static\/upload-panel-[^/]+\.js$/, async (route) => await route.abort('connectionrefused'))
    await dropFiles(gridOf(page), [join(mine.path, 'letter.txt')])
    await page.getByText('Part of this page could not be loaded').waitFor()
    await expect.poll(async () => await servedText(daemon, 'letter.txt')).toBe('hello')
  })
})
