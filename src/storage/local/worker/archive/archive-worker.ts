import { serveJobs } from '../../../../platform/workers/worker-host.ts'
import { type ArchiveInput, makeTar, makeZip, planZip, type TarInput, type ZipInput } from './make-archive.ts'

serveJobs({
  planZip: (input: ArchiveInput) => planZip(input),
  makeZip: (input: ZipInput, lend) => makeZip(input, lend),
  makeTar: (input: TarInput, lend) => makeTar(input, lend),
})
