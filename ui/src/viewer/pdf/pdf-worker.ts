// PDF.js starts by itself in a worker.
import 'pdfjs-dist/build/pdf.worker.min.mjs'
