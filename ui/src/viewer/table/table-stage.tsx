import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { type Encoding, ENCODINGS } from '../../../../src/domain/text/encodings.ts'
import { useClient } from '../../api/client.ts'
import { useEncodingNames } from '../../i18n/use-encoding-names.ts'
import { useFormat } from '../../i18n/use-format.ts'
import { useText, useLocale } from '../../i18n/use-text.tsx'
import { Checkbox } from '../../kit/fields/checkbox.tsx'
import { Printed } from '../../kit/text/printed.tsx'
import { Select } from '../../kit/fields/select.tsx'
import { fetchFile, useFileUrls } from '../file/file-source.ts'
import { NoPreview, Waiting } from '../placeholders.tsx'
import type { ViewedFile } from '../file/viewed-file.ts'
import { TableGrid } from './table-grid.tsx'
import type { Arrangement } from './table-model.ts'
import { type OpenTable, useTable } from './use-table.ts'
import styles from './table-stage.module.css'

/** Larger files are not shown: the whole table is held in memory several times. */
const MAX_BYTES = 50 * 1024 * 1024

const SEPARATORS = [',', ';', '|', '\t']

/** A CSV or TSV file as a table that can be sorted, filtered and read with another separator or encoding. */
export function TableStage(viewed: ViewedFile) {
  return viewed.file.size > MAX_BYTES ? <NoPreview {...viewed} /> : <FetchedTable {...viewed} />
}

function FetchedTable({ file, path }: ViewedFile) {
  return <Table label={file.name} bytes={useBytes(path, file)} />
}

interface TableProps {
  readonly label: string
  /** Undefined until they are loaded. */
  readonly bytes: ArrayBuffer | undefined
  /** Of a table in UTF-8 with commas: what to choose instead of the separator and the encoding. */
  readonly choice?: ReactNode
}

export function Table({ label, bytes, choice }: TableProps) {
  const t = useText()
  const format = useFormat()
  const [separator, setSeparator] = useState(choice === undefined ? '' : ',')
  const [encoding, setEncoding] = useState<Encoding | undefined>(choice === undefined ? undefined : 'utf-8')
  const [firstRowIsHead, setFirstRowIsHead] = useState(true)
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState<Pick<Arrangement, 'column' | 'descending'>>({})
  const [window, setWindow] = useState<readonly [number, number]>([0, 100])
  const locale = useLocale()
  const nameOf = useEncodingNames()
  const arrangement = { filter: useDeferredValue(filter), ...sort, locale }
  const table = useTable({ bytes, encoding, separator, firstRowIsHead, arrangement, window })
  if (table === undefined) return <Waiting />
  const { facts, count } = table
  const sortBy = (column: number): void =>
    setSort((before) => {
      if (before.column !== column) return { column }
      return before.descending === true ? {} : { column, descending: true }
    })
  return (
    <div className={styles['table']}>
      <div className={styles['tools']} role="group" aria-label={t('viewer.tableOptions')}>
        <input
          className={styles['filter']}
          type="search"
          aria-label={t('viewer.filterRows')}
          placeholder={t('viewer.filterRows')}
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
        />
        {choice ?? (
          <>
            <Select
              label={t('viewer.separator')}
              value={separator}
              onChange={setSeparator}
              options={[
                { value: '', label: t('viewer.separatorGuessed') },
                ...SEPARATORS.map((value) => ({ value, label: value === '\t' ? t('viewer.separatorTab') : value })),
              ]}
            />
            <Select
              label={t('editor.encoding')}
              value={encoding ?? facts.encoding}
              onChange={setEncoding}
              options={ENCODINGS.map((value) => ({ value, label: nameOf(value) }))}
            />
          </>
        )}
        <Checkbox checked={firstRowIsHead} onChange={setFirstRowIsHead} label={t('viewer.firstRowIsHead')} />
        <span className="grow" />
        <span className={styles['count']} role="status">
          {count < facts.rows && `${format.number(count)} / `}
          {t('viewer.countRows', { count: facts.rows })}
        </span>
      </div>
      <TableGrid table={table} label={label} sort={sort} onSort={sortBy} onWindow={setWindow} />
      <PrintedTable table={table} />
    </div>
  )
}

function useBytes(path: ViewedFile['path'], file: ViewedFile['file']): ArrayBuffer | undefined {
  const client = useClient()
  const urls = useFileUrls()
  const { data } = useQuery({
    queryKey: ['bytes', urls.raw(path), file.modified, file.size],
    staleTime: 'static',
    // Freed at once: it may be large.
    gcTime: 0,
    retry: false,
    throwOnError: true,
    queryFn: async ({ signal }) => await (await fetchFile(client, urls.raw(path), signal)).arrayBuffer(),
  })
  return data
}

/** The printed table, sorted and filtered as on the screen. */
function PrintedTable({ table: { facts, count, printed } }: { readonly table: OpenTable }) {
  const format = useFormat()
  return (
    <Printed>
      {() => (
        <>
          <table dir="ltr">
            <thead>
              <tr>
                {facts.columns.map((name, index) => (
                  <th key={index} dir="auto">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {printed.map(({ number, cells }) => (
                <tr key={number}>
                  {facts.columns.map((_, index) => (
                    <td key={index} dir="auto">
                      {cells[index]}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
          {count > printed.length && (
            <p>
              {format.number(printed.length)} / {format.number(count)}
            </p>
          )}
        </>
      )}
    </Printed>
  )
}
