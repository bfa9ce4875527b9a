import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, clientOf, metadataJson } from "./acceptance-assets-client.ts";
import { startService, type TestService } from "./harness.ts";

let kinora: TestService;
let admin: Client;
beforeAll(async () => {
  kinora = await startService();
  admin = clientOf(kinora.admin);
  await admin.json("POST /API/import/placeholder", metadataJson({ title: "Harbour" }));
});
afterAll(() => kinora.close());

/** What clients call that needs jobs, files or storages, by row of their ranking, as they send it. */
const later: Readonly<Record<string, readonly string[]>> = {
  "4": [
    "POST /API/item/VX-1/shape?uri=file:///a.mp4&tag=original,web&jobmetadata=k%3Dv&jobmetadata=l%3Dw&priority=HIGH",
  ],
  "5": ["GET /API/job/VX-1?metadata=true"],
  "7": [
    "GET /API/storage/VX-1/file;includeItem=true;number=100",
    "GET /API/storage/file?path=%2F&state=CLOSED&filter=noitem",
  ],
  "9": ["GET /API/storage", "GET /API/storage/VX-1", "GET /API/storage/?state=NONE"],
  "11": ["GET /API/storage/VX-1/file/VX-1?includeItem=true"],
  "12": [
    "POST /API/import/placeholder/VX-1/container?uri=file:///a.mp4&tag=web&growing=true",
    "POST /API/import/placeholder/VX-1/video;fileId=VX-1",
  ],
  "13": ["POST /API/item/VX-1/transcode?tag=web&createThumbnails=false"],
  "14": ["POST /API/storage/VX-1/file?path=a.mp4&createOnly=false&state=CLOSED"],
  "15": ["PUT /API/storage/VX-1/file/VX-1/state/CLOSED", "PUT /API/file/VX-1/state/LOST"],
  "16": [
    "POST /API/storage/file/VX-1/storage/VX-2?move=true",
    "POST /API/storage/VX-1/file/VX-1/storage/VX-2?filename=b.mp4",
  ],
  "18": [
    "GET /API/job;state=READY;user=false;first=0",
    "GET /API/job?type=IMPORT&jobmetadata=itemId%3DVX-1&sort=startTime%20asc",
  ],
  "19": ["POST /API/item/VX-1/thumbnail?createThumbnails=true&priority=LOW"],
  "20": ["POST /API/import/sidecar/VX-1?sidecar=file:///a.srt&jobmetadata=subtitleLanguage%3Dsv"],
  "24": ["GET /API/storage/VX-1/method?read=true"],
  "29": ["GET /API/storage/file/VX-1/data", "GET /API/storage/VX-1/file/VX-1/data"],
  "30": ["POST /API/item/VX-1/export?uri=file:///out/&metadata=true"],
  "33": ["GET /API/item/notification", "POST /API/item/notification", "DELETE /API/item/notification/VX-1"],
  "34": ["DELETE /API/storage/VX-1/file/VX-1", "DELETE /API/storage/file/VX-1"],
  "35": ["POST /API/storage/VX-1/rescan"],
  "38": ["POST /API/storage/VX-1/file/VX-1/import?tag=web"],
  "39": ["GET /API/storage/VX-1/file/path/in%2Fa.mp4;includeItem=True"],
  "40": [
    "POST /API/storage",
    "PUT /API/storage/VX-1",
    "DELETE /API/storage/VX-1?safe=true",
    "PUT /API/storage/VX-1/method/VX-1?url=file:///mnt/",
  ],
  "48": [
    "GET /API/item/VX-1/storage-rule/original",
    "PUT /API/item/VX-1/storage-rule/original",
    "DELETE /API/item/VX-1/storage-rule/original",
    "GET /API/item/VX-1/shape/VX-1/storage-rule?all=true",
  ],
  "50": ["POST /API/item/VX-1/shape/raw?transferId=x", "POST /API/import/raw?filename=a.mp4"],
  "52": ["POST /API/import?uri=file:///a.mp4", "POST /API/item/VX-1/shape/VX-1/analyze", "GET /API/job/problem"],
};

describe("what needs jobs, files or storages says that it is not there yet", () => {
  test.each(Object.entries(later))("row %s", async (_row, requests) => {
    for (const request of requests) {
      const answer = await admin.json(request);
      expect([request, answer.status]).toEqual([request, 501]);
      expect(answer.json).toHaveProperty("notYetImplemented");
      expect(answer.json.notYetImplemented).not.toBeNull();
    }
  });

  test("in XML by the element of that name", async () => {
    const { status, xml } = await admin.xml("GET /API/job/VX-1");
    expect([status, xml.name, xml.children.map(({ name }) => name)]).toEqual([
      501,
      "ExceptionDocument",
      ["notYetImplemented"],
    ]);
  });
});
