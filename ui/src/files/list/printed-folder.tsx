import type { VirtualPath } from '../../../../src/domain/files/virtual-path.ts'
import { wayTo } from '../../common/where.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { Printed } from '../../kit/text/printed.tsx'
import type { Grid } from './grid/use-grid.ts'
import { useEntryText } from './grid/entry-cell.ts'

/** At most this many entries are printed, which fill about twenty pages. */
const MAX_ENTRIES = 1000

interface PrintedFolderProps {
  /** Caption of the table; undefined if the page already names the folder. */
  readonly folder?: VirtualPath | undefined
  readonly grid: Pick<Grid, 'entries'>
}

/** The folder for printing: a plain table with all entries, including those scrolled out of view. */
export function PrintedFolder({ folder, grid: { entries } }: PrintedFolderProps) {
  const text = useEntryText()
  const { t } = text
  const format = useFormat()
  if (entries.length === 0) return null
  return (
    <Printed>
      {() => (
        <>
          <table>
            {folder !== undefined && (
              <caption>
                <bdi>{wayTo(t, folder)}</bdi>
              </caption>
            )}
            <thead>
              <tr>
                <th>{t('files.name')}</th>
                <th>{t('files.size')}</th>
                <th>{t('files.modified')}</th>
              </tr>
            </thead>
            <tbody>
              {entries.slice(0, MAX_ENTRIES).map((entry) => (
                <tr key={entry.name}>
                  <td>
                    <bdi>{entry.isDir ? `${entry.name}/` : entry.name}</bdi>
                  </td>
                  <td>{text.size(entry)}</td>
                  <td>{text.exact(entry)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {entries.length > MAX_ENTRIES && (
            <p>
              {format.number(MAX_ENTRIES)} / {format.number(entries.length)}
            </p>
          )}
        </>
      )}
    </Printed>
  )
}
