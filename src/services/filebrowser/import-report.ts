import { isFilemgrError } from '../../domain/errors.ts'
import type { Leaf } from '../../domain/schema/schema-tools.ts'
import { createSchemaCheck } from '../../platform/validation/schema-check.ts'

/** One thing of the old installation and what becomes of it. */
export interface ImportNote {
  /** What it is about: "user bob", "setting signup". */
  readonly subject: string
  /** Empty where nothing needs to be said. */
  readonly note: string
}

/** What an import does, or would do. */
export interface ImportReport {
  readonly carried: readonly ImportNote[]
  /** Carried in another form, and why. */
  readonly changed: readonly ImportNote[]
  /** Not carried, and why. */
  readonly dropped: readonly ImportNote[]
  /** What is here already and stays as it is. */
  readonly clashes: readonly ImportNote[]
  /** What the administrator should look at. */
  readonly lookAt: readonly ImportNote[]
}

type Kind = keyof ImportReport

/** Collects the notes of an import. */
export class ReportWriter {
  readonly #notes: Record<Kind, ImportNote[]> = { carried: [], changed: [], dropped: [], clashes: [], lookAt: [] }

  add(kind: Kind, subject: string, note = ''): void {
    this.#notes[kind].push({ subject, note })
  }

  report(): ImportReport {
    return this.#notes
  }
}

/** Why a value cannot be had by a setting; undefined when it can. */
export function leafProblem({ schema }: Leaf, value: unknown): string | undefined {
  try {
    createSchemaCheck(schema as Parameters<typeof createSchemaCheck>[0])(value)
    return undefined
  } catch (error) {
    if (isFilemgrError(error, 'INVALID_INPUT')) return error.message
    throw error
  }
}
