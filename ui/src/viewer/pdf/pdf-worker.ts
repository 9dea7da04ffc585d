// Importing PDF.js in a worker starts it.
import 'pdfjs-dist/build/pdf.worker.min.mjs'
