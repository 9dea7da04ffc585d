import { problemIn } from '../../domain/errors.ts'
import type { Leaf } from '../../domain/schema/schema-tools.ts'
import { createSchemaCheck } from '../../platform/validation/schema-check.ts'

/** One item of the old installation and what happens to it. */
export interface ImportNote {
  /** The item: "user bob", "setting signup". */
  readonly subject: string
  /** What happens to it and why; empty if that is obvious. */
  readonly note: string
}

/** What an import does, or would do. The names are also those of `--json`. */
export interface ImportReport {
  /** Imported unchanged. */
  readonly carried: ImportNote[]
  /** Imported in another form, and why. */
  readonly changed: ImportNote[]
  /** Not imported, and why. */
  readonly dropped: ImportNote[]
  /** Not imported, because it exists here already. */
  readonly clashes: ImportNote[]
  /** Needs the administrator's attention. */
  readonly lookAt: ImportNote[]
}

type Kind = keyof ImportReport

export class ReportWriter {
  readonly #notes: Record<Kind, ImportNote[]> = { carried: [], changed: [], dropped: [], clashes: [], lookAt: [] }

  add(kind: Kind, subject: string, note = ''): void {
    this.#notes[kind].push({ subject, note })
  }

  addAll(report: ImportReport): void {
    for (const kind of Object.keys(this.#notes) as Kind[]) this.#notes[kind].push(...report[kind])
  }

  report(): ImportReport {
    return this.#notes
  }
}

/** Why a value is invalid for a setting; undefined if it is valid. */
export function leafProblem({ schema }: Leaf, value: unknown): string | undefined {
  const check = createSchemaCheck(schema as Parameters<typeof createSchemaCheck>[0])
  return problemIn(() => check(value), 'INVALID_INPUT')?.message
}
