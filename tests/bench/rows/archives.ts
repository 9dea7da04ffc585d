import { secondsOf } from '../processes.ts'
import type { Row } from '../row.ts'
import type { Workbench } from '../workbench.ts'

export const ARCHIVE_FORMATS = ['zip', 'tar', 'targz', 'tarbz2', 'tarxz', 'tarlz4', 'tarsz', 'tarbr', 'tarzst']

export function archiveRows({ data, ask }: Workbench): Row[] {
  const archive = (name: string, algo: string, ratio: number, line: string, needs: string): Row => ({
    name: `${name} of 1000 files`,
    unit: 's',
    goal: { ratio },
    limit: {
      name: needs,
      needs: needs.split(' ')[0] ?? '',
      run: async () => await secondsOf(line, data.root, data.archived()),
    },
    run: async () => await ask([{ path: `/api/raw/${data.archived()}/?algo=${algo}` }]),
  })
  const tar = 'tar cf - -C "$1" "$2"'
  return [
    archive('zip', 'zip', 0.327, 'cd "$1" && zip -q -0 -r - "$2" | cat >/dev/null', 'zip -0'),
    archive('tar', 'tar', 1.2, `${tar} | cat >/dev/null`, 'tar'),
    archive('tar.gz', 'targz', 0.387, `${tar} | gzip -1 >/dev/null`, 'gzip -1'),
    archive('tar.zst', 'tarzst', 1.73, `${tar} | zstd -3 -q >/dev/null`, 'zstd -3'),
  ]
}
