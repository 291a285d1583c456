/**
 * The validators of everything that the runtime reads, which Ajv generates from inputs.ts: a server
 * need not load Ajv, and a host that forbids code from text can run them. Do not edit: change
 * inputs.ts, then `UPDATE_GOLDEN=1 npm run test:unit`.
 */
// @ts-nocheck: it is JavaScript.
import { countCodePoints } from "../text/expression.ts";

export const Manifest = validate20;
const schema31 = {"$id":"Manifest","type":"object","required":["schema","productVersion","packageVersion","classification","origin","registry","inputsSha256","files"],"properties":{"schema":{"type":"string","const":"service-semantics.manifest.v1"},"productVersion":{"type":"string","pattern":"^v[1-9][0-9]*$"},"packageVersion":{"type":"string","pattern":"^v[1-9][0-9]*(?:-wip)?$"},"classification":{"enum":["wip","final"]},"origin":{"type":"string","format":"uri"},"registry":{"type":"object","required":["name","registryVersion","contentSha256"],"properties":{"name":{"type":"string"},"registryVersion":{"type":"string"},"contentSha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}},"additionalProperties":false},"inputsSha256":{"type":"string","pattern":"^[0-9a-f]{64}$"},"files":{"type":"array","items":{"type":"object","required":["path","bytes","sha256"],"properties":{"path":{"type":"string","pattern":"^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$"},"bytes":{"type":"integer","minimum":0},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}},"additionalProperties":false}}},"additionalProperties":false};
const pattern4 = new RegExp("^v[1-9][0-9]*$", "u");
const pattern5 = new RegExp("^v[1-9][0-9]*(?:-wip)?$", "u");
const pattern6 = new RegExp("^[0-9a-f]{64}$", "u");
const pattern8 = new RegExp("^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$", "u");

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Manifest" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate20.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((((data.schema === undefined) && (missing0 = "schema")) || ((data.productVersion === undefined) && (missing0 = "productVersion"))) || ((data.packageVersion === undefined) && (missing0 = "packageVersion"))) || ((data.classification === undefined) && (missing0 = "classification"))) || ((data.origin === undefined) && (missing0 = "origin"))) || ((data.registry === undefined) && (missing0 = "registry"))) || ((data.inputsSha256 === undefined) && (missing0 = "inputsSha256"))) || ((data.files === undefined) && (missing0 = "files"))){
validate20.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((((((key0 === "schema") || (key0 === "productVersion")) || (key0 === "packageVersion")) || (key0 === "classification")) || (key0 === "origin")) || (key0 === "registry")) || (key0 === "inputsSha256")) || (key0 === "files"))){
validate20.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.schema !== undefined){
let data0 = data.schema;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate20.errors = [{instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("service-semantics.manifest.v1" !== data0){
validate20.errors = [{instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/const",keyword:"const",params:{allowedValue: "service-semantics.manifest.v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.productVersion !== undefined){
let data1 = data.productVersion;
const _errs4 = errors;
if(errors === _errs4){
if(typeof data1 === "string"){
if(!pattern4.test(data1)){
validate20.errors = [{instancePath:instancePath+"/productVersion",schemaPath:"#/properties/productVersion/pattern",keyword:"pattern",params:{pattern: "^v[1-9][0-9]*$"},message:"must match pattern \""+"^v[1-9][0-9]*$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/productVersion",schemaPath:"#/properties/productVersion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.packageVersion !== undefined){
let data2 = data.packageVersion;
const _errs6 = errors;
if(errors === _errs6){
if(typeof data2 === "string"){
if(!pattern5.test(data2)){
validate20.errors = [{instancePath:instancePath+"/packageVersion",schemaPath:"#/properties/packageVersion/pattern",keyword:"pattern",params:{pattern: "^v[1-9][0-9]*(?:-wip)?$"},message:"must match pattern \""+"^v[1-9][0-9]*(?:-wip)?$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/packageVersion",schemaPath:"#/properties/packageVersion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.classification !== undefined){
let data3 = data.classification;
const _errs8 = errors;
if(!((data3 === "wip") || (data3 === "final"))){
validate20.errors = [{instancePath:instancePath+"/classification",schemaPath:"#/properties/classification/enum",keyword:"enum",params:{allowedValues: schema31.properties.classification.enum},message:"must be equal to one of the allowed values"}];
return false;
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.origin !== undefined){
const _errs9 = errors;
if(errors === _errs9){
if(errors === _errs9){
if(!(typeof data.origin === "string")){
validate20.errors = [{instancePath:instancePath+"/origin",schemaPath:"#/properties/origin/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.registry !== undefined){
let data5 = data.registry;
const _errs11 = errors;
if(errors === _errs11){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing1;
if((((data5.name === undefined) && (missing1 = "name")) || ((data5.registryVersion === undefined) && (missing1 = "registryVersion"))) || ((data5.contentSha256 === undefined) && (missing1 = "contentSha256"))){
validate20.errors = [{instancePath:instancePath+"/registry",schemaPath:"#/properties/registry/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
const _errs13 = errors;
for(const key1 in data5){
if(!(((key1 === "name") || (key1 === "registryVersion")) || (key1 === "contentSha256"))){
validate20.errors = [{instancePath:instancePath+"/registry",schemaPath:"#/properties/registry/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key1},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs13 === errors){
if(data5.name !== undefined){
const _errs14 = errors;
if(typeof data5.name !== "string"){
validate20.errors = [{instancePath:instancePath+"/registry/name",schemaPath:"#/properties/registry/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs14 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data5.registryVersion !== undefined){
const _errs16 = errors;
if(typeof data5.registryVersion !== "string"){
validate20.errors = [{instancePath:instancePath+"/registry/registryVersion",schemaPath:"#/properties/registry/properties/registryVersion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid1 = _errs16 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data5.contentSha256 !== undefined){
let data8 = data5.contentSha256;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data8 === "string"){
if(!pattern6.test(data8)){
validate20.errors = [{instancePath:instancePath+"/registry/contentSha256",schemaPath:"#/properties/registry/properties/contentSha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registry/contentSha256",schemaPath:"#/properties/registry/properties/contentSha256/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs18 === errors;
}
else {
var valid1 = true;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/registry",schemaPath:"#/properties/registry/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.inputsSha256 !== undefined){
let data9 = data.inputsSha256;
const _errs20 = errors;
if(errors === _errs20){
if(typeof data9 === "string"){
if(!pattern6.test(data9)){
validate20.errors = [{instancePath:instancePath+"/inputsSha256",schemaPath:"#/properties/inputsSha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/inputsSha256",schemaPath:"#/properties/inputsSha256/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs20 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.files !== undefined){
let data10 = data.files;
const _errs22 = errors;
if(errors === _errs22){
if(Array.isArray(data10)){
var valid2 = true;
const len0 = data10.length;
for(let i0=0; i0<len0; i0++){
let data11 = data10[i0];
const _errs24 = errors;
if(errors === _errs24){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing2;
if((((data11.path === undefined) && (missing2 = "path")) || ((data11.bytes === undefined) && (missing2 = "bytes"))) || ((data11.sha256 === undefined) && (missing2 = "sha256"))){
validate20.errors = [{instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs26 = errors;
for(const key2 in data11){
if(!(((key2 === "path") || (key2 === "bytes")) || (key2 === "sha256"))){
validate20.errors = [{instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key2},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs26 === errors){
if(data11.path !== undefined){
let data12 = data11.path;
const _errs27 = errors;
if(errors === _errs27){
if(typeof data12 === "string"){
if(!pattern8.test(data12)){
validate20.errors = [{instancePath:instancePath+"/files/" + i0+"/path",schemaPath:"#/properties/files/items/properties/path/pattern",keyword:"pattern",params:{pattern: "^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$"},message:"must match pattern \""+"^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/files/" + i0+"/path",schemaPath:"#/properties/files/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs27 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data11.bytes !== undefined){
let data13 = data11.bytes;
const _errs29 = errors;
if(!(((typeof data13 == "number") && (!(data13 % 1) && !isNaN(data13))) && (isFinite(data13)))){
validate20.errors = [{instancePath:instancePath+"/files/" + i0+"/bytes",schemaPath:"#/properties/files/items/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs29){
if((typeof data13 == "number") && (isFinite(data13))){
if(data13 < 0 || isNaN(data13)){
validate20.errors = [{instancePath:instancePath+"/files/" + i0+"/bytes",schemaPath:"#/properties/files/items/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid3 = _errs29 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data11.sha256 !== undefined){
let data14 = data11.sha256;
const _errs31 = errors;
if(errors === _errs31){
if(typeof data14 === "string"){
if(!pattern6.test(data14)){
validate20.errors = [{instancePath:instancePath+"/files/" + i0+"/sha256",schemaPath:"#/properties/files/items/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate20.errors = [{instancePath:instancePath+"/files/" + i0+"/sha256",schemaPath:"#/properties/files/items/properties/sha256/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs31 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/files/" + i0,schemaPath:"#/properties/files/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs24 === errors;
if(!valid2){
break;
}
}
}
else {
validate20.errors = [{instancePath:instancePath+"/files",schemaPath:"#/properties/files/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs22 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate20.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate20.errors = vErrors;
return errors === 0;
}
validate20.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Closure = validate21;
const schema32 = {"$id":"Closure","type":"object","required":["schema","closure"],"properties":{"schema":{"type":"string","const":"service-semantics.deployment.v1"},"closure":{"type":"object","required":["treeDigest","files"],"properties":{"treeDigest":{"type":"string","pattern":"^[0-9a-f]{64}$"},"files":{"type":"array","items":{"type":"object","required":["path","bytes","sha256"],"properties":{"path":{"type":"string","pattern":"^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$"},"bytes":{"type":"integer","minimum":0},"sha256":{"type":"string","pattern":"^[0-9a-f]{64}$"}},"additionalProperties":false}}},"additionalProperties":true}},"additionalProperties":true};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Closure" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate21.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.schema === undefined) && (missing0 = "schema")) || ((data.closure === undefined) && (missing0 = "closure"))){
validate21.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.schema !== undefined){
let data0 = data.schema;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate21.errors = [{instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("service-semantics.deployment.v1" !== data0){
validate21.errors = [{instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/const",keyword:"const",params:{allowedValue: "service-semantics.deployment.v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.closure !== undefined){
let data1 = data.closure;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.treeDigest === undefined) && (missing1 = "treeDigest")) || ((data1.files === undefined) && (missing1 = "files"))){
validate21.errors = [{instancePath:instancePath+"/closure",schemaPath:"#/properties/closure/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.treeDigest !== undefined){
let data2 = data1.treeDigest;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(!pattern6.test(data2)){
validate21.errors = [{instancePath:instancePath+"/closure/treeDigest",schemaPath:"#/properties/closure/properties/treeDigest/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/closure/treeDigest",schemaPath:"#/properties/closure/properties/treeDigest/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs7 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data1.files !== undefined){
let data3 = data1.files;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data3)){
var valid2 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs11 = errors;
if(errors === _errs11){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing2;
if((((data4.path === undefined) && (missing2 = "path")) || ((data4.bytes === undefined) && (missing2 = "bytes"))) || ((data4.sha256 === undefined) && (missing2 = "sha256"))){
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0,schemaPath:"#/properties/closure/properties/files/items/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
const _errs13 = errors;
for(const key0 in data4){
if(!(((key0 === "path") || (key0 === "bytes")) || (key0 === "sha256"))){
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0,schemaPath:"#/properties/closure/properties/files/items/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs13 === errors){
if(data4.path !== undefined){
let data5 = data4.path;
const _errs14 = errors;
if(errors === _errs14){
if(typeof data5 === "string"){
if(!pattern8.test(data5)){
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0+"/path",schemaPath:"#/properties/closure/properties/files/items/properties/path/pattern",keyword:"pattern",params:{pattern: "^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$"},message:"must match pattern \""+"^(?!(?:.*/)?\\.{1,2}(?:/|$))[A-Za-z0-9._-]+(?:/[A-Za-z0-9._-]+)*$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0+"/path",schemaPath:"#/properties/closure/properties/files/items/properties/path/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs14 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data4.bytes !== undefined){
let data6 = data4.bytes;
const _errs16 = errors;
if(!(((typeof data6 == "number") && (!(data6 % 1) && !isNaN(data6))) && (isFinite(data6)))){
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0+"/bytes",schemaPath:"#/properties/closure/properties/files/items/properties/bytes/type",keyword:"type",params:{type: "integer"},message:"must be integer"}];
return false;
}
if(errors === _errs16){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 < 0 || isNaN(data6)){
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0+"/bytes",schemaPath:"#/properties/closure/properties/files/items/properties/bytes/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0},message:"must be >= 0"}];
return false;
}
}
}
var valid3 = _errs16 === errors;
}
else {
var valid3 = true;
}
if(valid3){
if(data4.sha256 !== undefined){
let data7 = data4.sha256;
const _errs18 = errors;
if(errors === _errs18){
if(typeof data7 === "string"){
if(!pattern6.test(data7)){
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0+"/sha256",schemaPath:"#/properties/closure/properties/files/items/properties/sha256/pattern",keyword:"pattern",params:{pattern: "^[0-9a-f]{64}$"},message:"must match pattern \""+"^[0-9a-f]{64}$"+"\""}];
return false;
}
}
else {
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0+"/sha256",schemaPath:"#/properties/closure/properties/files/items/properties/sha256/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid3 = _errs18 === errors;
}
else {
var valid3 = true;
}
}
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/closure/files/" + i0,schemaPath:"#/properties/closure/properties/files/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs11 === errors;
if(!valid2){
break;
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/closure/files",schemaPath:"#/properties/closure/properties/files/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid1 = _errs9 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate21.errors = [{instancePath:instancePath+"/closure",schemaPath:"#/properties/closure/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate21.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate21.errors = vErrors;
return errors === 0;
}
validate21.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Definition = validate22;
const schema33 = {"$id":"Definition","type":"object","required":["schema","serverInfo","instructions","tools","resources","prompts"],"properties":{"schema":{"type":"string","const":"service-semantics.mcp.v1"},"serverInfo":{"type":"object","properties":{},"additionalProperties":true},"instructions":{"type":"string","minLength":1},"tools":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string","const":"resolve_service_semantics"}},"additionalProperties":true},"minItems":1,"maxItems":1},"resources":{"type":"array","items":{"type":"object","required":["uri","mimeType"],"properties":{"uri":{"type":"string","minLength":1},"mimeType":{"type":"string","minLength":1}},"additionalProperties":true}},"prompts":{"type":"array","items":{"type":"object","required":["name","text","arguments"],"properties":{"name":{"type":"string","minLength":1},"text":{"type":"string","minLength":1},"arguments":{"type":"array","items":{"type":"object","required":["name","required"],"properties":{"name":{"type":"string","minLength":1},"required":{"type":"boolean"}},"additionalProperties":true}}},"additionalProperties":true}}},"additionalProperties":true};
const func1 = countCodePoints;

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Definition" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate22.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((((((data.schema === undefined) && (missing0 = "schema")) || ((data.serverInfo === undefined) && (missing0 = "serverInfo"))) || ((data.instructions === undefined) && (missing0 = "instructions"))) || ((data.tools === undefined) && (missing0 = "tools"))) || ((data.resources === undefined) && (missing0 = "resources"))) || ((data.prompts === undefined) && (missing0 = "prompts"))){
validate22.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.schema !== undefined){
let data0 = data.schema;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate22.errors = [{instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("service-semantics.mcp.v1" !== data0){
validate22.errors = [{instancePath:instancePath+"/schema",schemaPath:"#/properties/schema/const",keyword:"const",params:{allowedValue: "service-semantics.mcp.v1"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.serverInfo !== undefined){
let data1 = data.serverInfo;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
validate22.errors = [{instancePath:instancePath+"/serverInfo",schemaPath:"#/properties/serverInfo/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.instructions !== undefined){
let data2 = data.instructions;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate22.errors = [{instancePath:instancePath+"/instructions",schemaPath:"#/properties/instructions/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/instructions",schemaPath:"#/properties/instructions/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tools !== undefined){
let data3 = data.tools;
const _errs9 = errors;
if(errors === _errs9){
if(Array.isArray(data3)){
if(data3.length > 1){
validate22.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/maxItems",keyword:"maxItems",params:{limit: 1},message:"must NOT have more than 1 items"}];
return false;
}
else {
if(data3.length < 1){
validate22.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/minItems",keyword:"minItems",params:{limit: 1},message:"must NOT have fewer than 1 items"}];
return false;
}
else {
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs11 = errors;
if(errors === _errs11){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
let missing1;
if((data4.name === undefined) && (missing1 = "name")){
validate22.errors = [{instancePath:instancePath+"/tools/" + i0,schemaPath:"#/properties/tools/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data4.name !== undefined){
let data5 = data4.name;
if(typeof data5 !== "string"){
validate22.errors = [{instancePath:instancePath+"/tools/" + i0+"/name",schemaPath:"#/properties/tools/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("resolve_service_semantics" !== data5){
validate22.errors = [{instancePath:instancePath+"/tools/" + i0+"/name",schemaPath:"#/properties/tools/items/properties/name/const",keyword:"const",params:{allowedValue: "resolve_service_semantics"},message:"must be equal to constant"}];
return false;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/tools/" + i0,schemaPath:"#/properties/tools/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs11 === errors;
if(!valid1){
break;
}
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/tools",schemaPath:"#/properties/tools/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.resources !== undefined){
let data6 = data.resources;
const _errs16 = errors;
if(errors === _errs16){
if(Array.isArray(data6)){
var valid3 = true;
const len1 = data6.length;
for(let i1=0; i1<len1; i1++){
let data7 = data6[i1];
const _errs18 = errors;
if(errors === _errs18){
if(data7 && typeof data7 == "object" && !Array.isArray(data7)){
let missing2;
if(((data7.uri === undefined) && (missing2 = "uri")) || ((data7.mimeType === undefined) && (missing2 = "mimeType"))){
validate22.errors = [{instancePath:instancePath+"/resources/" + i1,schemaPath:"#/properties/resources/items/required",keyword:"required",params:{missingProperty: missing2},message:"must have required property '"+missing2+"'"}];
return false;
}
else {
if(data7.uri !== undefined){
let data8 = data7.uri;
const _errs21 = errors;
if(errors === _errs21){
if(typeof data8 === "string"){
if(func1(data8) < 1){
validate22.errors = [{instancePath:instancePath+"/resources/" + i1+"/uri",schemaPath:"#/properties/resources/items/properties/uri/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/resources/" + i1+"/uri",schemaPath:"#/properties/resources/items/properties/uri/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs21 === errors;
}
else {
var valid4 = true;
}
if(valid4){
if(data7.mimeType !== undefined){
let data9 = data7.mimeType;
const _errs23 = errors;
if(errors === _errs23){
if(typeof data9 === "string"){
if(func1(data9) < 1){
validate22.errors = [{instancePath:instancePath+"/resources/" + i1+"/mimeType",schemaPath:"#/properties/resources/items/properties/mimeType/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/resources/" + i1+"/mimeType",schemaPath:"#/properties/resources/items/properties/mimeType/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid4 = _errs23 === errors;
}
else {
var valid4 = true;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/resources/" + i1,schemaPath:"#/properties/resources/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid3 = _errs18 === errors;
if(!valid3){
break;
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/resources",schemaPath:"#/properties/resources/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs16 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prompts !== undefined){
let data10 = data.prompts;
const _errs25 = errors;
if(errors === _errs25){
if(Array.isArray(data10)){
var valid5 = true;
const len2 = data10.length;
for(let i2=0; i2<len2; i2++){
let data11 = data10[i2];
const _errs27 = errors;
if(errors === _errs27){
if(data11 && typeof data11 == "object" && !Array.isArray(data11)){
let missing3;
if((((data11.name === undefined) && (missing3 = "name")) || ((data11.text === undefined) && (missing3 = "text"))) || ((data11.arguments === undefined) && (missing3 = "arguments"))){
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2,schemaPath:"#/properties/prompts/items/required",keyword:"required",params:{missingProperty: missing3},message:"must have required property '"+missing3+"'"}];
return false;
}
else {
if(data11.name !== undefined){
let data12 = data11.name;
const _errs30 = errors;
if(errors === _errs30){
if(typeof data12 === "string"){
if(func1(data12) < 1){
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/name",schemaPath:"#/properties/prompts/items/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/name",schemaPath:"#/properties/prompts/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs30 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data11.text !== undefined){
let data13 = data11.text;
const _errs32 = errors;
if(errors === _errs32){
if(typeof data13 === "string"){
if(func1(data13) < 1){
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/text",schemaPath:"#/properties/prompts/items/properties/text/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/text",schemaPath:"#/properties/prompts/items/properties/text/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid6 = _errs32 === errors;
}
else {
var valid6 = true;
}
if(valid6){
if(data11.arguments !== undefined){
let data14 = data11.arguments;
const _errs34 = errors;
if(errors === _errs34){
if(Array.isArray(data14)){
var valid7 = true;
const len3 = data14.length;
for(let i3=0; i3<len3; i3++){
let data15 = data14[i3];
const _errs36 = errors;
if(errors === _errs36){
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing4;
if(((data15.name === undefined) && (missing4 = "name")) || ((data15.required === undefined) && (missing4 = "required"))){
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/arguments/" + i3,schemaPath:"#/properties/prompts/items/properties/arguments/items/required",keyword:"required",params:{missingProperty: missing4},message:"must have required property '"+missing4+"'"}];
return false;
}
else {
if(data15.name !== undefined){
let data16 = data15.name;
const _errs39 = errors;
if(errors === _errs39){
if(typeof data16 === "string"){
if(func1(data16) < 1){
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/arguments/" + i3+"/name",schemaPath:"#/properties/prompts/items/properties/arguments/items/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/arguments/" + i3+"/name",schemaPath:"#/properties/prompts/items/properties/arguments/items/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid8 = _errs39 === errors;
}
else {
var valid8 = true;
}
if(valid8){
if(data15.required !== undefined){
const _errs41 = errors;
if(typeof data15.required !== "boolean"){
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/arguments/" + i3+"/required",schemaPath:"#/properties/prompts/items/properties/arguments/items/properties/required/type",keyword:"type",params:{type: "boolean"},message:"must be boolean"}];
return false;
}
var valid8 = _errs41 === errors;
}
else {
var valid8 = true;
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/arguments/" + i3,schemaPath:"#/properties/prompts/items/properties/arguments/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid7 = _errs36 === errors;
if(!valid7){
break;
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2+"/arguments",schemaPath:"#/properties/prompts/items/properties/arguments/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid6 = _errs34 === errors;
}
else {
var valid6 = true;
}
}
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/prompts/" + i2,schemaPath:"#/properties/prompts/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid5 = _errs27 === errors;
if(!valid5){
break;
}
}
}
else {
validate22.errors = [{instancePath:instancePath+"/prompts",schemaPath:"#/properties/prompts/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
var valid0 = _errs25 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate22.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate22.errors = vErrors;
return errors === 0;
}
validate22.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Interface = validate23;
const schema34 = {"$id":"Interface","type":"object","required":["languages"],"properties":{"languages":{"type":"array","items":{"type":"object","required":["language","texts"],"properties":{"language":{"type":"string","minLength":1},"shell":{"type":"string"},"texts":{"type":"object","patternProperties":{"^.*$":{"type":"string"}}}},"additionalProperties":true}}},"additionalProperties":true};
const pattern13 = new RegExp("^.*$", "u");

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Interface" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate23.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.languages === undefined) && (missing0 = "languages")){
validate23.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.languages !== undefined){
let data0 = data.languages;
const _errs2 = errors;
if(errors === _errs2){
if(Array.isArray(data0)){
var valid1 = true;
const len0 = data0.length;
for(let i0=0; i0<len0; i0++){
let data1 = data0[i0];
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
let missing1;
if(((data1.language === undefined) && (missing1 = "language")) || ((data1.texts === undefined) && (missing1 = "texts"))){
validate23.errors = [{instancePath:instancePath+"/languages/" + i0,schemaPath:"#/properties/languages/items/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data1.language !== undefined){
let data2 = data1.language;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data2 === "string"){
if(func1(data2) < 1){
validate23.errors = [{instancePath:instancePath+"/languages/" + i0+"/language",schemaPath:"#/properties/languages/items/properties/language/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
else {
validate23.errors = [{instancePath:instancePath+"/languages/" + i0+"/language",schemaPath:"#/properties/languages/items/properties/language/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid2 = _errs7 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.shell !== undefined){
const _errs9 = errors;
if(typeof data1.shell !== "string"){
validate23.errors = [{instancePath:instancePath+"/languages/" + i0+"/shell",schemaPath:"#/properties/languages/items/properties/shell/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid2 = _errs9 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data1.texts !== undefined){
let data4 = data1.texts;
const _errs11 = errors;
if(errors === _errs11){
if(data4 && typeof data4 == "object" && !Array.isArray(data4)){
var props0 = {};
for(const key0 in data4){
if(pattern13.test(key0)){
if(typeof data4[key0] !== "string"){
validate23.errors = [{instancePath:instancePath+"/languages/" + i0+"/texts/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/languages/items/properties/texts/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
props0[key0] = true;
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/languages/" + i0+"/texts",schemaPath:"#/properties/languages/items/properties/texts/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid2 = _errs11 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/languages/" + i0,schemaPath:"#/properties/languages/items/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid1 = _errs4 === errors;
if(!valid1){
break;
}
}
}
else {
validate23.errors = [{instancePath:instancePath+"/languages",schemaPath:"#/properties/languages/type",keyword:"type",params:{type: "array"},message:"must be array"}];
return false;
}
}
}
}
}
else {
validate23.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate23.errors = vErrors;
return errors === 0;
}
validate23.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const MCPRequestMeta = validate24;
const schema35 = {"$id":"MCPRequestMeta","type":"object","required":["io.modelcontextprotocol/protocolVersion","io.modelcontextprotocol/clientCapabilities"],"properties":{"io.modelcontextprotocol/protocolVersion":{"type":"string","const":"2026-07-28"},"io.modelcontextprotocol/clientCapabilities":{"type":"object","properties":{},"additionalProperties":true},"io.modelcontextprotocol/clientInfo":{"type":"object","required":["name","version"],"properties":{"name":{"type":"string","minLength":1,"maxLength":200},"version":{"type":"string","minLength":1,"maxLength":200}},"additionalProperties":true}},"additionalProperties":true};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="MCPRequestMeta" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate24.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data["io.modelcontextprotocol/protocolVersion"] === undefined) && (missing0 = "io.modelcontextprotocol/protocolVersion")) || ((data["io.modelcontextprotocol/clientCapabilities"] === undefined) && (missing0 = "io.modelcontextprotocol/clientCapabilities"))){
validate24.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data["io.modelcontextprotocol/protocolVersion"] !== undefined){
let data0 = data["io.modelcontextprotocol/protocolVersion"];
const _errs2 = errors;
if(typeof data0 !== "string"){
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1protocolVersion",schemaPath:"#/properties/io.modelcontextprotocol~1protocolVersion/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("2026-07-28" !== data0){
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1protocolVersion",schemaPath:"#/properties/io.modelcontextprotocol~1protocolVersion/const",keyword:"const",params:{allowedValue: "2026-07-28"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data["io.modelcontextprotocol/clientCapabilities"] !== undefined){
let data1 = data["io.modelcontextprotocol/clientCapabilities"];
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientCapabilities",schemaPath:"#/properties/io.modelcontextprotocol~1clientCapabilities/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data["io.modelcontextprotocol/clientInfo"] !== undefined){
let data2 = data["io.modelcontextprotocol/clientInfo"];
const _errs7 = errors;
if(errors === _errs7){
if(data2 && typeof data2 == "object" && !Array.isArray(data2)){
let missing1;
if(((data2.name === undefined) && (missing1 = "name")) || ((data2.version === undefined) && (missing1 = "version"))){
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientInfo",schemaPath:"#/properties/io.modelcontextprotocol~1clientInfo/required",keyword:"required",params:{missingProperty: missing1},message:"must have required property '"+missing1+"'"}];
return false;
}
else {
if(data2.name !== undefined){
let data3 = data2.name;
const _errs10 = errors;
if(errors === _errs10){
if(typeof data3 === "string"){
if(func1(data3) > 200){
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientInfo/name",schemaPath:"#/properties/io.modelcontextprotocol~1clientInfo/properties/name/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data3) < 1){
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientInfo/name",schemaPath:"#/properties/io.modelcontextprotocol~1clientInfo/properties/name/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientInfo/name",schemaPath:"#/properties/io.modelcontextprotocol~1clientInfo/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs10 === errors;
}
else {
var valid1 = true;
}
if(valid1){
if(data2.version !== undefined){
let data4 = data2.version;
const _errs12 = errors;
if(errors === _errs12){
if(typeof data4 === "string"){
if(func1(data4) > 200){
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientInfo/version",schemaPath:"#/properties/io.modelcontextprotocol~1clientInfo/properties/version/maxLength",keyword:"maxLength",params:{limit: 200},message:"must NOT have more than 200 characters"}];
return false;
}
else {
if(func1(data4) < 1){
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientInfo/version",schemaPath:"#/properties/io.modelcontextprotocol~1clientInfo/properties/version/minLength",keyword:"minLength",params:{limit: 1},message:"must NOT have fewer than 1 characters"}];
return false;
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientInfo/version",schemaPath:"#/properties/io.modelcontextprotocol~1clientInfo/properties/version/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
var valid1 = _errs12 === errors;
}
else {
var valid1 = true;
}
}
}
}
else {
validate24.errors = [{instancePath:instancePath+"/io.modelcontextprotocol~1clientInfo",schemaPath:"#/properties/io.modelcontextprotocol~1clientInfo/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate24.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate24.errors = vErrors;
return errors === 0;
}
validate24.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Message = validate25;
const schema36 = {"$id":"Message","type":"object","required":["jsonrpc","id","method"],"properties":{"jsonrpc":{"type":"string","const":"2.0"},"id":{"anyOf":[{"type":"string"},{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}]},"method":{"type":"string"},"params":{"type":"object"}},"additionalProperties":false};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Message" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate25.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((((data.jsonrpc === undefined) && (missing0 = "jsonrpc")) || ((data.id === undefined) && (missing0 = "id"))) || ((data.method === undefined) && (missing0 = "method"))){
validate25.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "jsonrpc") || (key0 === "id")) || (key0 === "method")) || (key0 === "params"))){
validate25.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0},message:"must NOT have additional properties"}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.jsonrpc !== undefined){
let data0 = data.jsonrpc;
const _errs2 = errors;
if(typeof data0 !== "string"){
validate25.errors = [{instancePath:instancePath+"/jsonrpc",schemaPath:"#/properties/jsonrpc/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
if("2.0" !== data0){
validate25.errors = [{instancePath:instancePath+"/jsonrpc",schemaPath:"#/properties/jsonrpc/const",keyword:"const",params:{allowedValue: "2.0"},message:"must be equal to constant"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data1 = data.id;
const _errs4 = errors;
const _errs5 = errors;
let valid1 = false;
const _errs6 = errors;
if(typeof data1 !== "string"){
const err0 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
const _errs8 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
const err1 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf/1/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(errors === _errs8){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 > 9007199254740991 || isNaN(data1)){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf/1/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
if(data1 < -9007199254740991 || isNaN(data1)){
const err3 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991},message:"must be >= -9007199254740991"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
}
var _valid0 = _errs8 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err4 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
validate25.errors = vErrors;
return false;
}
else {
errors = _errs5;
if(vErrors !== null){
if(_errs5){
vErrors.length = _errs5;
}
else {
vErrors = null;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.method !== undefined){
const _errs10 = errors;
if(typeof data.method !== "string"){
validate25.errors = [{instancePath:instancePath+"/method",schemaPath:"#/properties/method/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.params !== undefined){
let data3 = data.params;
const _errs12 = errors;
if(!(data3 && typeof data3 == "object" && !Array.isArray(data3))){
validate25.errors = [{instancePath:instancePath+"/params",schemaPath:"#/properties/params/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate25.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate25.errors = vErrors;
return errors === 0;
}
validate25.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Identified = validate26;
const schema37 = {"$id":"Identified","type":"object","required":["id"],"properties":{"id":{"anyOf":[{"type":"string"},{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}]}},"additionalProperties":true};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Identified" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate26.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.id === undefined) && (missing0 = "id")){
validate26.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.id !== undefined){
let data0 = data.id;
const _errs3 = errors;
let valid1 = false;
const _errs4 = errors;
if(typeof data0 !== "string"){
const err0 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf/0/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
var _valid0 = _errs4 === errors;
valid1 = valid1 || _valid0;
const _errs6 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
const err1 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf/1/type",keyword:"type",params:{type: "integer"},message:"must be integer"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(errors === _errs6){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 > 9007199254740991 || isNaN(data0)){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf/1/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991},message:"must be <= 9007199254740991"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
else {
if(data0 < -9007199254740991 || isNaN(data0)){
const err3 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991},message:"must be >= -9007199254740991"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
}
var _valid0 = _errs6 === errors;
valid1 = valid1 || _valid0;
if(!valid1){
const err4 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/anyOf",keyword:"anyOf",params:{},message:"must match a schema in anyOf"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
validate26.errors = vErrors;
return false;
}
else {
errors = _errs3;
if(vErrors !== null){
if(_errs3){
vErrors.length = _errs3;
}
else {
vErrors = null;
}
}
}
}
}
}
else {
validate26.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate26.errors = vErrors;
return errors === 0;
}
validate26.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Page = validate27;
const schema38 = {"$id":"Page","type":"object","properties":{"cursor":{"type":"string"}},"additionalProperties":true};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Page" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate27.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.cursor !== undefined){
if(typeof data.cursor !== "string"){
validate27.errors = [{instancePath:instancePath+"/cursor",schemaPath:"#/properties/cursor/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
else {
validate27.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate27.errors = vErrors;
return errors === 0;
}
validate27.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Call = validate28;
const schema39 = {"$id":"Call","type":"object","required":["name"],"properties":{"name":{"type":"string"},"arguments":{"type":"object","properties":{},"additionalProperties":true}},"additionalProperties":true};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Call" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate28.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.name === undefined) && (missing0 = "name")){
validate28.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.name !== undefined){
const _errs2 = errors;
if(typeof data.name !== "string"){
validate28.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.arguments !== undefined){
let data1 = data.arguments;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
validate28.errors = [{instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate28.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate28.errors = vErrors;
return errors === 0;
}
validate28.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Address = validate29;
const schema40 = {"$id":"Address","type":"object","required":["uri"],"properties":{"uri":{"type":"string"}},"additionalProperties":true};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Address" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate29.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.uri === undefined) && (missing0 = "uri")){
validate29.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.uri !== undefined){
if(typeof data.uri !== "string"){
validate29.errors = [{instancePath:instancePath+"/uri",schemaPath:"#/properties/uri/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
}
}
}
else {
validate29.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate29.errors = vErrors;
return errors === 0;
}
validate29.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};

export const Prompt = validate30;
const schema41 = {"$id":"Prompt","type":"object","required":["name"],"properties":{"name":{"type":"string"},"arguments":{"type":"object","patternProperties":{"^.*$":{"type":"string"}}}},"additionalProperties":true};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data, dynamicAnchors={}}={}){
/*# sourceURL="Prompt" */;
let vErrors = null;
let errors = 0;
const evaluated0 = validate30.evaluated;
if(evaluated0.dynamicProps){
evaluated0.props = undefined;
}
if(evaluated0.dynamicItems){
evaluated0.items = undefined;
}
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.name === undefined) && (missing0 = "name")){
validate30.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0},message:"must have required property '"+missing0+"'"}];
return false;
}
else {
if(data.name !== undefined){
const _errs2 = errors;
if(typeof data.name !== "string"){
validate30.errors = [{instancePath:instancePath+"/name",schemaPath:"#/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.arguments !== undefined){
let data1 = data.arguments;
const _errs4 = errors;
if(errors === _errs4){
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
var props0 = {};
for(const key0 in data1){
if(pattern13.test(key0)){
if(typeof data1[key0] !== "string"){
validate30.errors = [{instancePath:instancePath+"/arguments/" + key0.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/arguments/patternProperties/%5E.*%24/type",keyword:"type",params:{type: "string"},message:"must be string"}];
return false;
}
props0[key0] = true;
}
}
}
else {
validate30.errors = [{instancePath:instancePath+"/arguments",schemaPath:"#/properties/arguments/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate30.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"}];
return false;
}
}
validate30.errors = vErrors;
return errors === 0;
}
validate30.evaluated = {"props":true,"dynamicProps":false,"dynamicItems":false};
