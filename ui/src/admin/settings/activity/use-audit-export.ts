import { useState } from 'react'
import { useClient } from '../../../api/client-context.tsx'
import { startDownload } from '../../../lib/start-download.ts'
import { useTellFailure } from '../../forms/use-tell-failure.ts'
import { AUDIT_CSV_HEAD, auditCsv, type AuditChoice } from './audit-query.ts'
import { readLines } from './read-lines.ts'

/** Lines at most: what a browser can hold, and a spreadsheet opens. */
const MOST = 500_000

interface AuditExport {
  exportAll(): Promise<void>
  /** Lines that were fetched so far; undefined while nothing is. */
  readonly exported: number | undefined
}

/** All lines that the filter lets through, as a file. */
export function useAuditExport(choice: AuditChoice): AuditExport {
  const client = useClient()
  const tellFailure = useTellFailure()
  const [exported, setExported] = useState<number>()

  return {
    exported,
    async exportAll() {
      if (exported !== undefined) return
      setExported(0)
      try {
        const { entries } = await readLines(client, choice, MOST, undefined, setExported)
        const url = URL.createObjectURL(new Blob([AUDIT_CSV_HEAD, auditCsv(entries)], { type: 'text/csv' }))
        startDownload(url, 'filemgr-audit.csv')
        setTimeout(() => URL.revokeObjectURL(url), 60_000)
      } catch (error) {
        tellFailure(error)
      } finally {
        setExported(undefined)
      }
    },
  }
}
